// Delay-bounded scheduling (Emmi, Qadeer and Rakamarić 2011): a deterministic scheduler that is delayed at most d
// times. Here it is round-robin: the active actor continues until it blocks, then the next one by number runs. A
// delay skips the actor whose turn it is. Most bugs need few delays, and with d delays there are at most k^d
// executions of k steps, however many actors there are.
//
// The paper enumerates all executions with d delays. Here the steps of the delays are drawn at random: the first try
// has none, the next ones have 1, 2, ..., up to --changes delays, and then 1 again.
#include "control/guided.hpp"
#include "control/strategies/steered.hpp"

namespace heddle::control {
namespace {

class DelayBounded final : public Strategy {
 public:
  Actor* choose(Actor* running) override {
    if (!begun_) begin();
    Actor* chosen = running && can_run(running) ? running : next_after(turn_);
    for (u32 i = 0; chosen && i < count_; ++i)
      if (delays_[i] == board()->steps) chosen = next_after(chosen->number);
    // All enabled actors only yield; or one that polls must not starve the others.
    if (!chosen || chosen->in_a_row >= kMostInARow) chosen = kGreedy.choose(running);
    if (chosen) turn_ = chosen->number;
    return chosen;
  }

 private:
  static constexpr u32 kMostDelays = 16;
  static constexpr u32 kMostInARow = 1000;  // as greedy.cpp

  static bool can_run(const Actor* actor) { return !actor->pending.yields && enabled(actor); }

  // In the order of their numbers, wrapping around; the actor itself comes last.
  static Actor* next_after(u32 number) {
    Actor* first = nullptr;
    for (Actor* actor = first_actor(); actor; actor = actor->next) {
      if (!can_run(actor)) continue;
      if (actor->number > number) return actor;
      if (!first) first = actor;
    }
    return first;
  }

  void begin() {
    begun_ = true;
    const u32 most = steering().changes < kMostDelays ? steering().changes : kMostDelays;
    const u32 length = steering().length ? steering().length : 1;
    count_ = steering().attempt == 0 || most == 0 ? 0 : 1 + (steering().attempt - 1) % most;
    for (u32 i = 0; i < count_; ++i) delays_[i] = chance(length);
  }

  bool begun_ = false;
  u32 turn_ = 0;  // the number of the last active actor
  u32 count_ = 0;
  u32 delays_[kMostDelays] = {};  // steps
};
constinit DelayBounded g_strategy;

}  // namespace

Strategy& strategies::delay_bounded() { return g_strategy; }

}  // namespace heddle::control
