#include "explore/races.hpp"

#include <algorithm>
#include <set>

#include "explore/segments.hpp"

namespace heddle::explore {
namespace {

struct Entry {
  u32 step;
  u32 task;
  const Access* access;
  bool like(const Entry& other, const std::vector<std::vector<Held>>& locks) const {
    return task == other.task && access->write == other.access->write &&
           access->atomic == other.access->atomic && access->bound_to == other.access->bound_to &&
           locks[step] == locks[other.step];
  }
};

// The part of a footprint that orders: a lock that is handed over, an access under a lock that conflicts with one under the same; atomic
// operations and objects, if they do (Execution::knows_by_dependence).
Footprint ordering(const Step& step, bool knows_by_dependence) {
  Footprint footprint = conflict_aware().footprint(step);
  if (knows_by_dependence) return footprint;
  const bool failed = step.op == Op::kTryAcquire && !step.succeeded;
  std::erase_if(footprint.keys, [&](const Key& key) {
    return key.kind != KeyKind::kLock || (failed && key.object == step.object);
  });
  if (footprint.locks.empty()) footprint.touches.clear();
  for (Touch& touch : footprint.touches) touch.atomic = false;
  return footprint;
}

// Task order, structure, and what locks order.
Clocks task_clocks(const Execution& execution) {
  std::unordered_map<u32, u32> chains;
  for (const Step& step : execution.steps) chains.try_emplace(step.task, static_cast<u32>(chains.size()));
  std::vector<FootprintRef> footprints;
  std::vector<u32> tasks;
  for (const Step& step : execution.steps) {
    footprints.push_back(std::make_shared<Footprint>(ordering(step, execution.knows_by_dependence)));
    tasks.push_back(step.task);
  }
  std::vector<std::vector<u32>> dependences = find_dependences(tasks, footprints);
  Clocks clocks(static_cast<u32>(chains.size()));
  for (u32 i = 0; i < execution.steps.size(); ++i) {
    clocks.begin(chains.at(execution.steps[i].task));
    const Step& step = execution.steps[i];
    for (u32 earlier : step.after)
      if (std::find(step.enabled_by.begin(), step.enabled_by.end(), earlier) == step.enabled_by.end())
        clocks.learn(earlier);
    for (u32 earlier : dependences[i]) clocks.learn(earlier);
  }
  return clocks;
}

// Is the order of the analysis that of tasks already? Then each actor made one, and whatever depends also knows.
bool orders_tasks(const Analysis& analysis) {
  if (&analysis.reduction() != &conflict_aware()) return false;
  std::unordered_map<ActorNumber, u32> tasks;
  std::unordered_map<u32, ActorNumber> actors;
  for (const Step& step : analysis.execution().steps) {
    const bool orders_nothing = step.op == Op::kAtomic || step.op == Op::kTryAcquire || !step.syncs.empty();
    if (!step.enabled_by.empty() || (orders_nothing && !analysis.execution().knows_by_dependence))
      return false;
    if (tasks.try_emplace(step.actor, step.task).first->second != step.task ||
        actors.try_emplace(step.task, step.actor).first->second != step.actor)
      return false;
  }
  return true;
}

}  // namespace

std::vector<Race> find_races(const Analysis& analysis) {
  const Execution& execution = analysis.execution();
  Segments segments;
  std::vector<std::vector<Held>> locks;
  for (const Step& step : execution.steps) {
    locks.push_back(locks_of(step));
    for (const Access& access : step.accesses)
      if (access.size != 0) segments.add(access.address, access.address + access.size);
  }
  segments.settle();
  std::optional<Clocks> own;
  if (!orders_tasks(analysis)) own = task_clocks(execution);
  const Clocks& clocks = own ? *own : analysis.clocks();

  std::vector<Race> races;
  std::set<std::pair<u32, u32>> reported;
  std::vector<std::vector<Entry>> entries(segments.size());
  for (u32 i = 0; i < execution.steps.size(); ++i) {
    const Step& step = execution.steps[i];
    for (const Access& access : step.accesses) {
      if (access.size == 0) continue;
      auto [first, last] = segments.of(access.address, access.address + access.size);
      Entry now{i, step.task, &access};
      for (usize segment = first; segment < last; ++segment) {
        bool replaced = false;
        for (Entry& entry : entries[segment]) {
          const Access& other = *entry.access;
          bool conflict = entry.task != step.task && (access.write || other.write) &&
                          !(access.atomic && other.atomic) &&
                          !(access.bound_to != 0 && access.bound_to == other.bound_to);
          if (conflict && !exclude(locks[entry.step], locks[i]) && !clocks.before(entry.step, i) &&
              reported.emplace(other.site, access.site).second)
            races.push_back({entry.step, i, other, access});
          if (entry.like(now, locks)) entry = now, replaced = true;
        }
        if (!replaced) entries[segment].push_back(now);
      }
    }
  }
  return races;
}

}  // namespace heddle::explore
