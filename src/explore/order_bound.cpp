#include "explore/order_bound.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <unordered_map>

namespace heddle::explore {
namespace {

// For each step, how many steps of each actor precede it by structure, under every schedule.
class StructuralOrder {
 public:
  explicit StructuralOrder(const std::vector<Step>& steps) : steps_(steps), position_(steps.size()) {
    for (const Step& step : steps) columns_.try_emplace(step.actor, columns_.size());
    clocks_.resize(steps.size() * columns_.size());
    std::unordered_map<ActorNumber, u32> last;
    std::unordered_map<ActorNumber, u32> made;
    for (u32 i = 0; i < steps.size(); ++i) {
      const Step& step = steps[i];
      if (auto own = last.find(step.actor); own != last.end()) join(i, own->second);
      // The steps it read from could have come later.
      const bool saw = step.op == Op::kAtomic || !step.syncs.empty() || step.repeats;
      if (!saw)
        for (u32 earlier : step.after)
          if (std::find(step.enabled_by.begin(), step.enabled_by.end(), earlier) == step.enabled_by.end())
            join(i, earlier);
      position_[i] = ++made[step.actor];
      clock(i)[columns_.at(step.actor)] = position_[i];
      last[step.actor] = i;
    }
  }
  // REQUIRES: earlier < later.
  bool before(u32 earlier, u32 later) const {
    return clock(later)[columns_.at(steps_[earlier].actor)] >= position_[earlier];
  }

 private:
  u32* clock(u32 step) { return clocks_.data() + usize{step} * columns_.size(); }
  const u32* clock(u32 step) const { return clocks_.data() + usize{step} * columns_.size(); }
  void join(u32 step, u32 earlier) {
    u32* mine = clock(step);
    const u32* theirs = clock(earlier);
    for (usize i = 0; i < columns_.size(); ++i) mine[i] = std::max(mine[i], theirs[i]);
  }

  const std::vector<Step>& steps_;
  std::unordered_map<ActorNumber, usize> columns_;
  std::vector<u32> clocks_;
  std::vector<u32> position_;  // among its actor's steps, from 1
};

}  // namespace

OrderBound::Counts OrderBound::counts_of(const Execution& execution) {
  // A step that is blocked at the end could have been made in another order, and another be blocked instead.
  std::vector<Step> all_steps = execution.steps;
  all_steps.insert(all_steps.end(), execution.waiting.begin(), execution.waiting.end());
  // A try of a lock comes before or after its release; a blocking acquisition always after.
  std::set<u64> tried;
  for (const Step& step : all_steps) {
    if (step.op == Op::kTryAcquire) tried.insert(step.object);
    for (const Held& lock : step.looks.locks) tried.insert(lock.lock);
  }
  std::map<Key, std::vector<u32>> users;  // steps
  for (u32 i = 0; i < all_steps.size(); ++i) {
    const Step& step = all_steps[i];
    auto use = [&](Op op, u64 object) {
      auto& all = users[{op, object}];
      if (all.empty() || all.back() != i) all.push_back(i);
    };
    for (const auto* locks : {&step.gained, &step.pulsed, &step.looks.locks, &step.looks.held})
      for (const Held& lock : *locks) use(Op::kAcquire, lock.lock);
    for (const Held& lock : step.given)
      if (tried.contains(lock.lock)) use(Op::kAcquire, lock.lock);
    const bool waits = i >= execution.steps.size() && step.op == Op::kAcquire;
    if (step.op == Op::kTryAcquire || waits) use(Op::kAcquire, step.object);
    if (step.op == Op::kAtomic) use(Op::kChoice, step.object);
    for (const auto* syncs : {&step.syncs, &step.looks.syncs})
      for (const Sync& sync : *syncs) use(Op::kChoice, sync.object);
  }
  Counts counts;
  const StructuralOrder order(all_steps);
  for (const auto& [key, steps] : users) {
    // The last step of each actor before a step, and the first after it, represent the actor's other steps.
    std::vector<bool> loose(steps.size());
    auto meet = [&](usize i, std::map<ActorNumber, u32>& nearest, bool backwards) {
      for (const auto& [actor, other] : nearest)
        if (!(backwards ? order.before(steps[i], other) : order.before(other, steps[i]))) loose[i] = true;
      nearest[all_steps[steps[i]].actor] = steps[i];
    };
    std::map<ActorNumber, u32> last, next;
    for (usize i = 0; i < steps.size(); ++i) meet(i, last, false);
    for (usize i = steps.size(); i-- > 0;) meet(i, next, true);
    for (usize i = 0; i < steps.size(); ++i)
      if (loose[i]) ++counts[key][all_steps[steps[i]].actor];
  }
  return counts;
}

void OrderBound::add(const Execution& execution) {
  const Counts counts = counts_of(execution);
  if (any_ && counts != most_) uniform_ = false;
  any_ = true;
  for (const auto& [key, actors] : counts)
    for (const auto& [actor, count] : actors) {
      u32& most = most_[key][actor];
      most = std::max(most, count);
    }
}

// There are (sum n)! / prod n! words with n of each letter. Shorter words, with at most n of each letter, are
// prefixes of those, and each word has one more prefix than letters.
double OrderBound::log10() const {
  double result = 0;
  for (const auto& [key, actors] : most_) {
    double total = 0;
    for (const auto& [actor, count] : actors) {
      total += count;
      result -= std::lgamma(count + 1.0);
    }
    result += std::lgamma(total + 1.0);
    if (!uniform_) result += std::log(total + 1.0);
  }
  return result / std::log(10.0);
}

std::string OrderBound::remaining(u64 explored) const {
  constexpr double kExact = 15;  // digits of a double
  const double digits = log10();
  char text[64];
  if (digits >= kExact) {
    const double whole = std::floor(digits);
    std::snprintf(text, sizeof text, "%.1fe+%.0f", std::pow(10.0, digits - whole), whole);
    return text;
  }
  const double bound = std::round(std::pow(10.0, digits));
  if (!any_ || bound < static_cast<double>(explored)) return "";
  std::snprintf(text, sizeof text, "%.0f", bound - static_cast<double>(explored));
  return text;
}

}  // namespace heddle::explore
