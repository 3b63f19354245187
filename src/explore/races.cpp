#include "explore/races.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "base/hash_map.hpp"
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

// The memory that several tasks touched, at least one writing. Most memory is touched by one task only, and needs no
// segments.
class Contested {
 public:
  explicit Contested(const Execution& execution) {
    usize pieces = 0;
    for (const Step& step : execution.steps)
      for (const Access& access : step.accesses) pieces += access.size / kBlock + 2;
    everything_ = pieces > kMostPieces;
    if (everything_) return;
    blocks_.resize(std::bit_ceil(pieces * 2 + 1));
    for (const Step& step : execution.steps)
      for (const Access& access : step.accesses) add(step.task, access);
  }
  bool contains(const Access& access) const {
    if (everything_) return true;
    for (u64 at = first(access); at <= last(access); ++at)
      if (const Block& block = blocks_[find(at)]; block.written && block.shared) return true;
    return false;
  }

 private:
  static constexpr u64 kBlock = 16;
  static constexpr usize kMostPieces = 1 << 20;
  struct Block {
    u64 number = 0;  // plus one; 0: none
    u32 task = 0;
    bool written = false, shared = false;
  };
  static u64 first(const Access& access) { return access.address / kBlock + 1; }
  static u64 last(const Access& access) { return (access.address + access.size - 1) / kBlock + 1; }
  usize find(u64 number) const {
    usize at = mix(number) & (blocks_.size() - 1);
    while (blocks_[at].number != 0 && blocks_[at].number != number) at = (at + 1) & (blocks_.size() - 1);
    return at;
  }
  void add(u32 task, const Access& access) {
    if (access.size == 0) return;
    for (u64 at = first(access); at <= last(access); ++at) {
      Block& block = blocks_[find(at)];
      if (block.number == 0) block = {at, task};
      block.shared |= block.task != task;
      block.written |= access.write;
    }
  }

  bool everything_ = false;
  std::vector<Block> blocks_;
};

// The part of a footprint that orders tasks: a lock that is released and acquired, a protected access that conflicts
// with another under the same lock; atomic operations and objects, if they order (Execution::knows_by_dependence).
Footprint ordering(const Step& step, bool knows_by_dependence) {
  if (step.repeats) {
    Step once = step;
    once.repeats = false;
    once.looks = {};
    return ordering(once, knows_by_dependence);
  }
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

// Happens-before of tasks: task order, structure, and the order by locks.
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
        clocks.join(earlier);
    for (u32 earlier : dependences[i]) clocks.join(earlier);
  }
  return clocks;
}

// Is the order of the analysis already that of tasks? It is if each actor ran one task, and each dependence orders.
bool orders_tasks(const Analysis& analysis) {
  if (&analysis.reduction() != &conflict_aware()) return false;
  std::unordered_map<ActorNumber, u32> tasks;
  std::unordered_map<u32, ActorNumber> actors;
  for (const Step& step : analysis.execution().steps) {
    const bool orders_nothing = step.op == Op::kAtomic || step.op == Op::kTryAcquire || !step.syncs.empty();
    if (step.repeats || !step.enabled_by.empty() ||
        (orders_nothing && !analysis.execution().knows_by_dependence))
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
  struct At {
    u32 step;
    const Access* access;
  };
  std::vector<At> accesses;
  const Contested contested(execution);
  for (u32 i = 0; i < execution.steps.size(); ++i) {
    locks.push_back(locks_of(execution.steps[i]));
    for (const Access& access : execution.steps[i].accesses) {
      if (access.size == 0 || !contested.contains(access)) continue;
      accesses.push_back({i, &access});
      segments.add(access.address, access.address + access.size);
    }
  }
  if (accesses.empty()) return {};
  segments.settle();
  std::optional<Clocks> own;
  if (!orders_tasks(analysis)) own = task_clocks(execution);
  const Clocks& clocks = own ? *own : analysis.clocks();

  std::vector<Race> races;
  std::set<std::pair<u32, u32>> reported;
  std::vector<std::vector<Entry>> entries(segments.size());
  for (const auto& [i, at] : accesses) {
    const Access& access = *at;
    auto [first, last] = segments.of(access.address, access.address + access.size);
    Entry now{i, execution.steps[i].task, &access};
    for (usize segment = first; segment < last; ++segment) {
      bool replaced = false;
      for (Entry& entry : entries[segment]) {
        const Access& other = *entry.access;
        bool conflict = entry.task != now.task && (access.write || other.write) &&
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
  return races;
}

}  // namespace heddle::explore
