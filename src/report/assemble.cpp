#include "report/assemble.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "report/resolver.hpp"

#ifndef HEDDLE_VERSION
#define HEDDLE_VERSION "unknown"
#endif

namespace heddle::report {
namespace {

std::string source_key(const Stack& stack) {
  const Frame* frame = stack.user_frame();
  if (!frame) return "?";
  if (frame->line == 0) return frame->module + "+" + std::to_string(frame->offset);
  return frame->linkage_name + "@" + frame->path + ":" + std::to_string(frame->line);
}

// The races of one source pair.
struct Pair {
  Evidence evidence;
  std::size_t process, race;  // the one that stands for all
  std::size_t races = 0;
  std::uint64_t hits = 0;
  std::set<std::pair<std::size_t, std::size_t>> others{};  // some more of them, as (process, race)
};

// One line of source may touch several variables: a few other races of a pair are looked at for their
// variables, so that fixing the first does not uncover the second only in the next run.
constexpr std::size_t kOthersKept = 16;
constexpr std::size_t kOthersNamed = 4;

Finding describe(const Pair& pair, const RawLog& log, std::vector<Resolver>& resolvers) {
  Finding finding = resolvers[pair.process].finding(log.processes[pair.process].races[pair.race]);
  finding.pairs = pair.races;
  finding.hits = pair.hits;
  const auto name_others = [&](Conflict& conflict) {
    std::set<std::string> seen{conflict.variable.description};
    for (const auto& [process, race] : pair.others) {
      std::string description = resolvers[process].variable_description(log.processes[process].races[race]);
      if (conflict.also.size() < kOthersNamed && seen.insert(description).second)
        conflict.also.push_back(std::move(description));
    }
  };
  std::visit(Overloaded{[&](Race& race) { name_others(race); },
                        [&](Violation& violation) { name_others(violation); }, [](Deadlock&) {}},
             finding.kind);
  return finding;
}

struct Grouped {
  std::vector<Pair> pairs;  // in the order first seen
  std::size_t suppressed = 0;
};

// Deadlocks of the same places, whichever comes first and whichever locks they are about. A `Pair` then counts cycles.
Grouped group_deadlocks(const RawLog& log, std::vector<Resolver>& resolvers, Suppressions& suppressions) {
  Grouped result;
  using Key = std::vector<std::string>;
  std::map<Key, std::size_t> index;
  std::set<Key> silenced;
  for (std::size_t p = 0; p < log.processes.size(); ++p) {
    const Process& process = log.processes[p];
    for (std::size_t d = 0; d < process.deadlocks.size(); ++d) {
      const RawDeadlock& deadlock = process.deadlocks[d];
      const std::vector<Stack> stacks = resolvers[p].stacks_of(deadlock);
      Key key;
      for (std::size_t i = 0; i < deadlock.edges.size(); ++i) key.push_back(source_key(stacks[i]));
      std::sort(key.begin(), key.end());
      if (!suppressions.empty()) {
        std::vector<const Stack*> all;
        for (const Stack& stack : stacks) all.push_back(&stack);
        if (suppressions.match(Suppressions::About::Deadlock, all, resolvers[p].lock_names(deadlock))) {
          silenced.insert(key);
          continue;
        }
      }
      const auto [it, fresh] = index.try_emplace(key, result.pairs.size());
      if (fresh) result.pairs.push_back({deadlock.evidence, p, d, 0, 0, {}});
      Pair& group = result.pairs[it->second];
      // What happened says more than what was predicted of the same places just before.
      const bool happened = deadlock.evidence == Evidence::Certain;
      if (happened && group.evidence != Evidence::Certain) {
        group.evidence = Evidence::Certain;
        group.process = p;
        group.race = d;
      }
      const auto hits = process.hits.find(deadlock.id);
      group.races += !happened || fresh;
      group.hits += hits == process.hits.end() ? 1 : hits->second;
    }
  }
  result.suppressed = silenced.size();
  return result;
}

Grouped group(const RawLog& log, std::vector<Resolver>& resolvers, Suppressions& suppressions) {
  Grouped result;
  using Key = std::array<std::string, 3>;
  std::map<Key, std::size_t> index;
  std::set<Key> silenced;
  for (std::size_t p = 0; p < log.processes.size(); ++p) {
    const Process& process = log.processes[p];
    for (std::size_t r = 0; r < process.races.size(); ++r) {
      const RawRace& race = process.races[r];
      const Stack first = resolvers[p].stack_of(race.first, race);
      const Stack second = resolvers[p].stack_of(race.second, race);
      const Stack last = race.last ? resolvers[p].stack_of(*race.last, race) : Stack{};
      Key key{source_key(first), source_key(second), race.last ? source_key(last) : ""};
      if (!race.last && key[1] < key[0]) std::swap(key[0], key[1]);
      if (!suppressions.empty()) {
        const auto name = resolvers[p].variable_name(race);
        std::vector<const Stack*> stacks{&first, &second};
        if (race.last) stacks.push_back(&last);
        const auto about = race.last ? Suppressions::About::Violation : Suppressions::About::Race;
        if (suppressions.match(about, stacks, {name ? name->name : ""})) {
          silenced.insert(key);
          continue;
        }
      }
      const auto [it, fresh] = index.try_emplace(key, result.pairs.size());
      if (fresh) result.pairs.push_back({race.evidence, p, r, 0, 0, {}});
      Pair& pair = result.pairs[it->second];
      if (race.evidence > pair.evidence) pair = {race.evidence, p, r, pair.races, pair.hits, pair.others};
      if (!fresh && pair.others.size() < kOthersKept) pair.others.insert({p, r});
      const auto hits = process.hits.find(race.id);
      pair.races += 1;
      pair.hits += hits == process.hits.end() ? 1 : hits->second;
    }
  }
  result.suppressed = silenced.size();
  return result;
}

std::vector<std::string> not_analysed(const RawLog& log) {
  std::vector<std::string> result;
  const auto add = [&](const std::string& text) {
    if (std::find(result.begin(), result.end(), text) == result.end()) result.push_back(text);
  };
  for (const Process& process : log.processes) {
    if (process.end_reason == "internal")
      add("what '" + process.exe + "' does after the analysis gave it up (see the warning)");
    if (!process.has_options && log.run && !log.run->options.empty())
      add("'" + process.exe + "' as the options say: its environment was removed");
    for (const std::string& text : process.not_analysed) add(text);
  }
  if (!log.complaints.empty() || log.is_cut_off)
    add("what the raw log has lost: " + (log.complaints.empty() ? "it is cut off" : log.complaints.front()));
  const auto children =
      std::count_if(log.forked.begin(), log.forked.end(), [](const auto& child) { return !child.second; });
  if (children > 0)
    add(std::to_string(children) + (children == 1 ? " forked child" : " forked children") +
        ": the parent had other threads, or was run by heddle record or with --serial");
  return result;
}

void describe_run(const RawLog& log, Report& report) {
  report.version = HEDDLE_VERSION;
  report.started = !log.processes.empty();
  if (log.run) {
    report.command = log.run->command;
    report.directory = log.run->directory;
    std::vector<std::string> words = log.run->environment;
    words.insert(words.end(), {"heddle", "run"});
    words.insert(words.end(), log.run->options.begin(), log.run->options.end());
    words.insert(words.end(), report.command.begin(), report.command.end());
    report.reproduce = shell_words(words);
  } else if (!log.processes.empty()) {
    report.command = {log.processes.front().exe};
    report.reproduce = shell_words({"heddle", "run", log.processes.front().exe});
  }
  if (!report.command.empty()) report.program = report.command.front();
  if (log.exit) {
    report.exit_code = log.exit->code;
    if (log.exit->signal) report.signal = log.exit->signal;
  }
  if (!log.processes.empty()) report.checks = log.processes.front().checks;
  for (const Process& process : log.processes) {
    std::erase_if(report.checks, [&](const std::string& check) {
      return std::find(process.checks.begin(), process.checks.end(), check) == process.checks.end();
    });
    report.warnings.insert(report.warnings.end(), process.warnings.begin(), process.warnings.end());
    for (const auto& [name, value] : process.stats)
      // One process is the rule; with several, each has its own lines.
      report.stats[log.processes.size() == 1 ? name : std::to_string(process.pid) + "." + name] = value;
  }
  report.warnings.insert(report.warnings.end(), log.complaints.begin(), log.complaints.end());
  report.not_analysed = not_analysed(log);
}

// Under the verification runtime a report is the same in every run. Process ids are not.
bool repeats_exactly(const RawLog& log) {
  return log.run &&
         std::find(log.run->options.begin(), log.run->options.end(), "--serial") != log.run->options.end();
}
void name_processes_by_order(const RawLog& log, Report& report) {
  std::map<std::uint64_t, std::uint64_t> order;
  for (const Process& process : log.processes) order.try_emplace(process.pid, order.size() + 1);
  for (Finding& finding : report.findings) finding.pid = order[finding.pid];
  for (Stall& stall : report.stalls) stall.pid = order[stall.pid];
}

}  // namespace

std::string shell_words(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789_-./=:,+@%^") == std::string::npos;
    if (plain) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

Report assemble(const RawLog& log, Suppressions& suppressions, const AssembleOptions& options) {
  Report report;
  describe_run(log, report);
  Symbolizer symbolizer(report.directory.empty() ? std::filesystem::current_path().string()
                                                 : report.directory);
  SourceText source;
  std::vector<Resolver> resolvers;
  for (const Process& process : log.processes)
    resolvers.emplace_back(process, symbolizer, source, options.identities);

  Grouped grouped = group(log, resolvers, suppressions);
  report.suppressed = grouped.suppressed;
  const Grouped deadlocks = group_deadlocks(log, resolvers, suppressions);
  report.suppressed += deadlocks.suppressed;
  report.deadlocks = deadlocks.pairs.size();
  for (const Pair& cycle : deadlocks.pairs) report.happened_deadlocks += cycle.evidence == Evidence::Certain;
  report.unused_suppressions = suppressions.unused();
  for (const Evidence evidence : {Evidence::Certain, Evidence::Predicted})
    for (const Pair& pair : grouped.pairs) {
      if (pair.evidence != evidence) continue;
      const bool certain = evidence == Evidence::Certain;
      if (log.processes[pair.process].races[pair.race].last)
        ++(certain ? report.certain_violations : report.predicted_violations);
      else
        ++(certain ? report.certain : report.predicted);
      if (evidence == Evidence::Predicted && !options.list_predicted) continue;
      if (options.max_findings != 0 && report.findings.size() >= options.max_findings) continue;
      report.findings.push_back(describe(pair, log, resolvers));
      report.findings.back().number = report.findings.size();
    }
  for (const Pair& cycle : deadlocks.pairs) {
    if (options.max_findings != 0 && report.findings.size() >= options.max_findings) break;
    report.findings.push_back(
        resolvers[cycle.process].finding(log.processes[cycle.process].deadlocks[cycle.race]));
    report.findings.back().number = report.findings.size();
    report.findings.back().pairs = cycle.races;
    report.findings.back().hits = cycle.hits;
  }
  for (std::size_t p = 0; p < log.processes.size(); ++p)
    if (log.processes[p].stall) report.stalls.push_back(resolvers[p].stall());
  if (repeats_exactly(log)) name_processes_by_order(log, report);
  return report;
}

}  // namespace heddle::report
