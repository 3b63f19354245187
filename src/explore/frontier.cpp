#include "explore/frontier.hpp"

#include <map>
#include <numeric>

#include "base/check.hpp"
#include "explore/actor_text.hpp"

namespace heddle::explore {
namespace {

constexpr std::string_view kFirstLine = "heddle-frontier 1";

struct Count {
  std::string_view name;
  u64 Statistics::*member;
};
constexpr Count kCounts[] = {
    {"executions", &Statistics::executions}, {"blocked", &Statistics::blocked},
    {"impossible", &Statistics::impossible}, {"deadlocks", &Statistics::deadlocks},
    {"crashes", &Statistics::crashes},       {"racy", &Statistics::racy},
    {"diverged", &Statistics::diverged},     {"too-long", &Statistics::too_long},
    {"steps", &Statistics::steps},           {"deepest", &Statistics::deepest},
    {"most-nodes", &Statistics::most_nodes},
};

std::string_view word(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::kLeaf:
      return "leaf";
    case Node::Kind::kInside:
      return "inside";
    case Node::Kind::kFree:
      return "free";
  }
  __builtin_unreachable();
}

// A node with exactly one branch, which is open.
bool is_link(const Node& node) {
  return node.kind == Node::Kind::kFree && node.branches.size() == 1 && !node.branches[0]->done &&
         node.branches[0]->child != nullptr && node.trials.empty() && node.parked.empty();
}

std::string entrant_text(std::string_view what, const Node& node, const Entrant& entrant,
                         const ActorNames& names) {
  std::vector<ActorNumber> actors;
  for (const Wakeup::Item& item : entrant.sequence.items()) actors.push_back(item.actor);
  // The reversed actor matters only if it is in the sleep set here or has a branch.
  std::string turned = "-";
  for (const Sleeper& sleeper : node.sleep)
    if (sleeper.footprint == entrant.sequence.turned()) turned = names.path(sleeper.actor);
  for (const auto& branch : node.branches)
    if (branch->footprint != nullptr && branch->footprint == entrant.sequence.turned())
      turned = names.path(branch->actor);
  return std::string(what) + " " + (entrant.from == nullptr ? "-" : names.path(entrant.from->actor)) + " " +
         turned + (entrant.sequence.uncertain() ? " uncertain" : " possible") +
         (entrant.sequence.settled() ? " known" : " new") + actors_text(actors, names) + "\n";
}

// Stops at the end of the prefix.
class Stop : public Guide {
  ActorNumber next(const Execution&, std::span<const ActorNumber>, std::vector<ActorNumber>&) override {
    return kNobody;
  }
};

}  // namespace

std::string Frontier::to_text(const Tree& tree, const FrontierHead& head, const ActorNames& names) {
  std::string text = std::string(kFirstLine) + "\nsubject " + head.subject + "\nreduction " + head.reduction +
                     +"\n" + stepping_lines(head.stepping);
  for (const Count& count : kCounts)
    text += std::string(count.name) + " " + std::to_string(head.statistics.*count.member) + "\n";
  // The default order of actors depends on their numbers: they must be assigned in the same order again.
  text += "actors";
  for (ActorNumber actor = 0; actor < names.size(); ++actor) text += " " + names.path(actor);
  text += "\ntree\n";
  // Depth-first, with one frame per node that is being written.
  struct Frame {
    const Node* node;
    usize next;  // branch
  };
  std::vector<Frame> frames;
  auto open = [&](const Node* node) {
    std::vector<ActorNumber> chain;
    while (is_link(*node)) {
      chain.push_back(node->branches[0]->actor);
      node = node->branches[0]->child.get();
    }
    if (!chain.empty()) text += "chain" + actors_text(chain, names) + "\n";
    HEDDLE_CHECK(node->trials_out == 0);
    text += "node " + std::string(word(node->kind)) + "\n";
    frames.push_back({node, 0});
  };
  open(tree.root_.get());
  while (!frames.empty()) {
    Frame& frame = frames.back();
    const Node& node = *frame.node;
    if (frame.next < node.branches.size()) {
      const Branch& branch = *node.branches[frame.next++];
      text += "branch " + names.path(branch.actor) + (branch.done ? " done" : " open") +
              (branch.child != nullptr ? " here" : " gone") + (branch.footprint != nullptr ? "" : " new") +
              "\n";
      if (branch.child != nullptr) open(branch.child.get());
      continue;
    }
    for (const Entrant& entrant : node.parked) text += entrant_text("parked", node, entrant, names);
    for (const Entrant& entrant : node.trials) text += entrant_text("trial", node, entrant, names);
    text += "end\n";
    frames.pop_back();
  }
  return text;
}

namespace {

struct Text {
  std::string_view rest;
  usize line = 0;
  std::string_view next() {
    ++line;
    return take_line(rest);
  }
  Error wrong(const std::string& what) const {
    return Error{"line " + std::to_string(line) + " of the frontier: " + what};
  }
};

Result<FrontierHead> take_head(Text& text, ActorNames* names) {
  FrontierHead head;
  if (text.next() != kFirstLine)
    return text.wrong("this is no frontier of a version known here: it does not begin with '" +
                      std::string(kFirstLine) + "'");
  for (;;) {
    if (text.rest.empty()) return text.wrong("its end was lost");
    std::string_view line = text.next();
    std::string_view name = take_word(line);
    if (name == "tree") return head;
    if (name == "subject") {
      head.subject = line;
    } else if (name == "reduction") {
      head.reduction = line;
    } else if (name == "actors") {
      std::vector<ActorNumber> actors;
      if (names != nullptr && !parse_actors(line, *names, actors)) return text.wrong("these are not actors");
    } else if (parse_stepping(name, line, head.stepping)) {
    } else {
      bool known = false;
      for (const Count& count : kCounts)
        if (count.name == name) known = parse_number(line, head.statistics.*count.member);
      if (!known) return text.wrong("'" + std::string(name) + "' is not understood");
    }
  }
}

}  // namespace

Result<FrontierHead> Frontier::parse_head(std::string_view text) {
  Text lines{text};
  return take_head(lines, nullptr);
}

// Reads the structure first, then executes what is needed to compute the footprints, from the root downwards.
class FrontierReader {
 public:
  FrontierReader(std::string_view text, Executor& executor, const Reduction& reduction, Tree& tree,
                 std::unique_ptr<Node>& root)
      : text_{text}, executor_(executor), reduction_(reduction), tree_(tree), root_(root) {}

  Result<FrontierHead> read() {
    auto head = take_head(text_, executor_.names.get());
    if (!head) return head;
    if (auto error = read_tree()) return *error;
    if (auto error = compute_footprints()) return *error;
    return head;
  }

 private:
  struct Pending {  // a line "trial" or "parked"
    bool parked;
    ActorNumber from, turned;  // kNoActor: none
    bool uncertain, known;
    std::vector<ActorNumber> actors;
  };
  using Problem = std::optional<Error>;

  Node* add(Node* node, ActorNumber actor) {
    return tree_.add_child(*node, actor, nullptr, Node::Kind::kFree);
  }

  Problem read_tree() {
    ActorNames& names = *executor_.names;
    std::vector<Node*> open;
    Node* next = root_.get();  // the node that the next "node" or "chain" is about; null: there is none
    root_->kind = Node::Kind::kFree;
    root_->ready = 0;
    do {
      if (text_.rest.empty()) return text_.wrong("its end was lost");
      std::string_view line = text_.next();
      std::string_view what = take_word(line);
      if (what == "chain" || what == "node") {
        if (next == nullptr) return text_.wrong("nothing leads to this node");
        if (what == "chain") {
          std::vector<ActorNumber> actors;
          if (!parse_actors(line, names, actors)) return text_.wrong("these are not actors");
          for (ActorNumber actor : actors) next = add(next, actor);
          continue;
        }
        std::string_view kind = take_word(line);
        if (kind == "leaf") {
          next->kind = Node::Kind::kLeaf;
        } else if (kind == "inside" || kind == "free") {
          next->kind = kind == "inside" ? Node::Kind::kInside : Node::Kind::kFree;
        } else {
          return text_.wrong("'" + std::string(kind) + "' is no kind of node");
        }
        open.push_back(next);
        next = nullptr;
        continue;
      }
      if (open.empty() || next != nullptr) return text_.wrong("a node was expected");
      Node* node = open.back();
      if (what == "end") {
        open.pop_back();
      } else if (what == "branch") {
        ActorNumber actor = names.find_or_add_path(take_word(line));
        std::string_view done = take_word(line), here = take_word(line);
        if (actor == ActorNames::kNoActor || (here != "here" && here != "gone"))
          return text_.wrong("this is no branch");
        Node* child = add(node, actor);
        Branch& branch = *node->branches.back();
        branch.done = done == "done";
        if (line == "new") new_.push_back(&branch);
        if (here == "gone") {
          branch.child.reset();
          --tree_.nodes_;
        } else {
          next = child;
        }
      } else if (what == "trial" || what == "parked") {
        Pending pending;
        pending.parked = what == "parked";
        std::string_view from = take_word(line), turned = take_word(line);
        pending.from = from == "-" ? ActorNames::kNoActor : names.find_or_add_path(from);
        pending.turned = turned == "-" ? ActorNames::kNoActor : names.find_or_add_path(turned);
        pending.uncertain = take_word(line) == "uncertain";
        pending.known = take_word(line) == "known";
        if (!parse_actors(line, names, pending.actors) || pending.actors.empty())
          return text_.wrong("these are not actors");
        entrants_[node].push_back(std::move(pending));
      } else {
        return text_.wrong("'" + std::string(what) + "' is not understood");
      }
    } while (!open.empty() || next != nullptr);
    return std::nullopt;
  }

  bool is_new(const Branch& branch) const {
    return std::find(new_.begin(), new_.end(), &branch) != new_.end();
  }

  // Executes a prefix, all of which must be possible.
  Result<Execution> execute(const std::vector<ActorNumber>& actors) {
    Stop stop;
    Prefix prefix{actors, std::vector<ActorNumber>(executor_.names->size())};
    std::iota(prefix.avoid.begin(), prefix.avoid.end(), ActorNumber{0});
    Execution execution = executor_.run(prefix, stop);
    while (execution.end == End::kAborted && !executor_.is_unwanted())
      execution = executor_.run(prefix, stop);
    if (execution.end == End::kDiverged || execution.steps.size() < actors.size())
      return Error{"the frontier does not fit the program: " + execution.problem};
    execution.steps.resize(actors.size());
    return execution;
  }

  // Computes the footprints of a path and of the branches that leave it in one walk. Parents come before their
  // children.
  Problem compute_footprints() {
    struct Frame {
      Node* node;
      usize next;
    };
    std::vector<Frame> frames{{root_.get(), 0}};
    std::vector<ActorNumber> path;
    std::vector<Branch*> taken;
    auto know = [&](Branch* last) -> Problem {
      if (last->footprint != nullptr || is_new(*last)) return std::nullopt;
      // One execution covers the whole open path.
      std::vector<ActorNumber> actors = path;
      std::vector<Branch*> branches = taken;
      for (Branch* at = last; at != nullptr && !is_new(*at);) {
        actors.push_back(at->actor);
        branches.push_back(at);
        Node* below = at->child.get();
        at = below != nullptr && !below->branches.empty() ? below->branches.front().get() : nullptr;
      }
      auto execution = execute(actors);
      if (!execution) return Error{execution.error()};
      for (usize i = 0; i < branches.size(); ++i)
        if (branches[i]->footprint == nullptr)
          branches[i]->footprint = std::make_shared<Footprint>(reduction_.footprint(execution->steps[i]));
      return std::nullopt;
    };
    while (!frames.empty()) {
      Frame& frame = frames.back();
      Node* node = frame.node;
      if (frame.next == 0) {
        for (const auto& branch : node->branches)
          if (auto problem = know(branch.get())) return problem;
        if (auto problem = enter_waiting(*node, path)) return problem;
        if (node->kind == Node::Kind::kLeaf) tree_.change_ready(node, 1);
      }
      if (frame.next == node->branches.size()) {
        frames.pop_back();
        if (!path.empty() && !frames.empty()) path.pop_back(), taken.pop_back();
        continue;
      }
      Branch& branch = *node->branches[frame.next++];
      if (branch.child == nullptr) continue;
      if (branch.child->kind == Node::Kind::kInside) branch.child->sleep = sleep_behind(*node, branch);
      path.push_back(branch.actor);
      taken.push_back(&branch);
      frames.push_back({branch.child.get(), 0});
    }
    return std::nullopt;
  }

  Problem enter_waiting(Node& node, const std::vector<ActorNumber>& path) {
    auto found = entrants_.find(&node);
    if (found == entrants_.end()) return std::nullopt;
    for (const Pending& pending : found->second) {
      std::vector<ActorNumber> actors = path;
      actors.insert(actors.end(), pending.actors.begin(), pending.actors.end());
      if (!pending.known) actors.pop_back();
      auto execution = execute(actors);
      if (!execution) return Error{execution.error()};
      Entrant entrant;
      entrant.sequence = Wakeup(Analysis(*execution, reduction_), node.depth,
                                pending.known ? ActorNames::kNoActor : pending.actors.back());
      if (pending.uncertain) entrant.sequence.doubt();
      for (const Sleeper& sleeper : node.sleep)
        if (sleeper.actor == pending.turned) entrant.sequence.turn(sleeper.footprint);
      for (const auto& branch : node.branches) {
        if (branch->actor == pending.turned) entrant.sequence.turn(branch->footprint);
        if (branch->actor == pending.from) entrant.from = branch.get();
      }
      if (pending.parked) {
        node.parked.push_back(std::move(entrant));
      } else {
        node.trials.push_back(std::move(entrant));
        tree_.change_ready(&node, 1);
      }
    }
    return std::nullopt;
  }

  Text text_;
  Executor& executor_;
  const Reduction& reduction_;
  Tree& tree_;
  std::unique_ptr<Node>& root_;
  std::vector<const Branch*> new_;
  std::unordered_map<const Node*, std::vector<Pending>> entrants_;
};

Result<FrontierHead> Frontier::parse(std::string_view text, Executor& executor, const Reduction& reduction,
                                     Tree& tree) {
  return FrontierReader(text, executor, reduction, tree, tree.root_).read();
}

}  // namespace heddle::explore
