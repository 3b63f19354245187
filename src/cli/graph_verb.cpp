// heddle graph: the computation graph of a history, races marked, for graphviz or as JSON.
//
// A whole graph is readable up to some hundred nodes; --around=N cuts out the explanation of race N: both nodes, and
// the paths to them from their last common predecessor.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <queue>
#include <set>

#include "cli/site_names.hpp"
#include "cli/verb.hpp"
#include "engine/analyze.hpp"
#include "engine/cg/cg.hpp"
#include "history/check.hpp"
#include "history/history_source.hpp"
#include "output/hex.hpp"
#include "output/printable.hpp"
#include "settings/suggest.hpp"

namespace heddle::cli {
namespace {

using output::hex;
using Json = nlohmann::ordered_json;
using engine::EdgeKind;
using Node = engine::Graph::Node;

struct Request {
  std::string file, format;
  bool json = false;
  u32 around = 0;  // 0: all
};

Result<Request> request_of(const Settings& settings) {
  const Options& options = settings.options;
  if (settings.operands.empty()) return Error{"heddle graph needs a history; see heddle graph --help"};
  if (settings.operands.size() > 1)
    return Error{"heddle graph reads one history, not '" + settings.operands[0] + "' and '" +
                 settings.operands[1] + "'"};
  if (options.flag("json") && options.flag("dot")) return Error{"--dot or --json, not both"};
  return Request{settings.operands.front(), options.text("format"), options.flag("json"),
                 static_cast<u32>(options.number("around"))};
}

const char* name_of(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::kProgram:
      return "program";
    case EdgeKind::kFork:
      return "fork";
    case EdgeKind::kJoin:
      return "join";
    case EdgeKind::kLock:
      return "lock";
    case EdgeKind::kSignal:
      return "signal";
  }
  return "?";
}

// All nodes before this one, itself included.
std::vector<bool> history_of(const engine::Graph& graph, Node node) {
  std::vector<bool> seen(graph.nodes());
  std::vector<Node> todo = {node};
  seen[node] = true;
  while (!todo.empty()) {
    Node at = todo.back();
    todo.pop_back();
    for (auto* edge = graph.begin(at); edge != graph.end(at); ++edge)
      if (!seen[edge->from]) {
        seen[edge->from] = true;
        todo.push_back(edge->from);
      }
  }
  return seen;
}

// The shortest path from `to` back to `from`, both included.
std::vector<Node> way(const engine::Graph& graph, Node from, Node to) {
  std::map<Node, Node> next;  // on the way
  std::queue<Node> todo;
  todo.push(to);
  next[to] = to;
  while (!todo.empty() && !next.contains(from)) {
    Node at = todo.front();
    todo.pop();
    for (auto* edge = graph.begin(at); edge != graph.end(at); ++edge)
      if (edge->from >= from && next.try_emplace(edge->from, at).second) todo.push(edge->from);
  }
  std::vector<Node> nodes;
  for (Node at = from; nodes.empty() || nodes.back() != to; at = next.at(at)) nodes.push_back(at);
  return nodes;
}

// The last node before both is their last common predecessor.
std::set<Node> around(const engine::Graph& graph, const engine::NodeRace& race) {
  std::vector<bool> first = history_of(graph, race.first), second = history_of(graph, race.second);
  Node parted = 0;
  for (Node node = 0; node < graph.nodes(); ++node)
    if (first[node] && second[node]) parted = node;
  std::set<Node> nodes;
  for (Node end : {race.first, race.second})
    for (Node node : way(graph, parted, end)) nodes.insert(node);
  return nodes;
}

std::string dot_string(const std::string& text) {
  std::string result = "\"";
  for (char c : output::printable(text, output::Lines::kKept)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string words_of(const engine::Side& side, const std::string& place) {
  return std::string(side.atomic ? "atomic " : "") + (side.write ? "write" : "read") + " at " + place;
}

// The part of a graph to draw: some of its nodes, the edges between them, and the races between them.
struct Drawing {
  const engine::CgEngine& cg;
  std::function<std::string(u32 site)> place;
  std::set<Node> shown;

  bool shows(const engine::NodeRace& race) const {
    return shown.contains(race.first) && shown.contains(race.second);
  }
};

void print_json(const Drawing& drawing) {
  const engine::Graph& graph = drawing.cg.graph();
  const auto& about = drawing.cg.nodes();
  const auto& races = drawing.cg.node_races();
  Json json = {{"nodes", Json::array()}, {"edges", Json::array()}, {"races", Json::array()}};
  for (Node node : drawing.shown) {
    Json one = {{"node", node},
                {"task", about[node].task},
                {"reads", about[node].reads},
                {"writes", about[node].writes}};
    if (about[node].reads + about[node].writes > 0) one["place"] = drawing.place(about[node].site);
    json["nodes"].push_back(one);
  }
  for (Node node : drawing.shown)
    for (auto* edge = graph.begin(node); edge != graph.end(node); ++edge)
      if (drawing.shown.contains(edge->from))
        json["edges"].push_back({{"from", edge->from}, {"to", node}, {"kind", name_of(edge->kind)}});
  for (usize i = 0; i < races.size(); ++i)
    if (drawing.shows(races[i]))
      json["races"].push_back(
          {{"race", i + 1},
           {"first", races[i].first},
           {"second", races[i].second},
           {"address", hex(races[i].address)},
           {"first_access", words_of(races[i].first_side, drawing.place(races[i].first_side.site))},
           {"second_access", words_of(races[i].second_side, drawing.place(races[i].second_side.site))}});
  std::printf("%s\n", json.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

void print_dot(const Drawing& drawing) {
  const engine::Graph& graph = drawing.cg.graph();
  const auto& about = drawing.cg.nodes();
  const auto& races = drawing.cg.node_races();
  std::set<Node> racy;
  for (const engine::NodeRace& race : races) racy.insert({race.first, race.second});
  std::printf(
      "digraph history {\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n  edge "
      "[fontname=\"sans-serif\", "
      "fontsize=9];\n");
  for (Node node : drawing.shown) {
    const engine::NodeAbout& one = about[node];
    std::string label = "task " + std::to_string(one.task);
    if (one.reads + one.writes > 0)
      label += ": " + std::to_string(one.reads) + " r, " + std::to_string(one.writes) + " w\n" +
               drawing.place(one.site);
    std::printf("  n%u [label=%s%s];\n", node, dot_string(label).c_str(),
                racy.contains(node) ? ", color=red, penwidth=2" : "");
  }
  for (Node node : drawing.shown)
    for (auto* edge = graph.begin(node); edge != graph.end(node); ++edge) {
      if (!drawing.shown.contains(edge->from)) continue;
      std::printf("  n%u -> n%u", edge->from, node);
      if (edge->kind != EdgeKind::kProgram)
        std::printf(" [label=%s%s]", name_of(edge->kind),
                    edge->kind == EdgeKind::kLock ? ", style=dashed" : "");
      std::printf(";\n");
    }
  for (usize i = 0; i < races.size(); ++i) {
    if (!drawing.shows(races[i])) continue;
    std::string label = "race " + std::to_string(i + 1) + "\n" +
                        words_of(races[i].first_side, drawing.place(races[i].first_side.site)) + "\n" +
                        words_of(races[i].second_side, drawing.place(races[i].second_side.site));
    std::printf("  n%u -> n%u [dir=both, color=red, fontcolor=red, constraint=false, label=%s];\n",
                races[i].first, races[i].second, dot_string(label).c_str());
  }
  std::printf("}\n");
}

int run(Settings& settings) {
  const auto request = request_of(settings);
  if (!request) return fail(request.error());
  auto checked = history::open_history(request->file, request->format);
  if (!checked) return fail(checked.failure());
  if (const std::string illegal = history::first_illegal_event(*checked->source); !illegal.empty())
    return fail_input(request->file + ": " + illegal);
  auto opened = history::open_history(request->file, request->format);
  if (!opened) return fail(opened.failure());
  history::EventSource& source = *opened->source;
  std::unique_ptr<engine::CgEngine> cg = engine::make_drawn_cg();
  engine::analyze(*cg, source);
  const bool damaged = !source.problem().empty();
  if (damaged)
    say(request->file + ": " + source.problem() + "; the graph is of what comes before, and not complete");

  SiteNames names(opened->about());
  const auto& races = cg->node_races();
  if (request->around > races.size())
    return fail("there is no race " + std::to_string(request->around) + ": the history has " +
                std::to_string(races.size()));
  Drawing drawing{*cg, [&](u32 site) { return names.name(site, source).text; }, {}};
  if (request->around)
    drawing.shown = around(cg->graph(), races[request->around - 1]);
  else
    for (Node node = 0; node < cg->graph().nodes(); ++node) drawing.shown.insert(node);
  (request->json ? print_json : print_dot)(drawing);
  return damaged ? kDamagedInput : 0;
}

}  // namespace

const Verb kGraphVerb{"graph",
                      options::kGraph,
                      Operands::kFiles,
                      "print the computation graph of a history, races marked",
                      "FILE --dot | --json [--around=RACE]",
                      "A node is a stretch of a task without synchronisation. Edges say why one node happens "
                      "before another: program "
                      "order, fork, join, lock (the order of this run), signal. A race (by happens-before) "
                      "joins two nodes that no path "
                      "connects.",
                      "  heddle graph run.hist --dot --around=1 | dot -Tsvg -o race.svg\n"
                      "  heddle graph run.hist --json\n",
                      run};

}  // namespace heddle::cli
