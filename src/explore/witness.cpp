#include "explore/witness.hpp"

#include <algorithm>

namespace heddle::explore {
namespace {

bool has(const std::vector<Held>& all, u64 lock) {
  return std::any_of(all.begin(), all.end(), [&](const Held& held) { return held.lock == lock; });
}

// Does it release a lock that the other acquires in its step?
bool hands_over(const Step& step, const Step& other) {
  auto acquires = [&](u64 lock) { return has(other.gained, lock) || has(other.pulsed, lock); };
  return std::any_of(step.given.begin(), step.given.end(), [&](const Held& h) { return acquires(h.lock); });
}

}  // namespace

std::vector<u32> witness(const Analysis& analysis, const Race& race) {
  const Execution& execution = analysis.execution();
  std::vector<u32> steps;
  for (u32 i = 0; i < race.second; ++i)
    if (i != race.first && (analysis.before(i, race.first) || analysis.before(i, race.second)))
      steps.push_back(i);
  u32 first = race.first, second = race.second;
  bool fixed = analysis.before(first, second);  // two tasks of one actor
  if (!fixed && hands_over(execution.steps[first], execution.steps[second])) std::swap(first, second);
  if (fixed)
    steps.insert(std::lower_bound(steps.begin(), steps.end(), first), first);
  else
    steps.push_back(first);
  steps.push_back(second);
  return steps;
}

std::vector<ActorNumber> actors_of(const Execution& execution, const std::vector<u32>& steps) {
  std::vector<ActorNumber> actors;
  actors.reserve(steps.size());
  for (u32 step : steps) actors.push_back(execution.steps[step].actor);
  return actors;
}

}  // namespace heddle::explore
