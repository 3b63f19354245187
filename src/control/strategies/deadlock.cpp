// Deadlock-directed (DeadlockFuzzer, Joshi, Park, Sen and Naik 2009): whoever is about to make one of the acquisitions of the cycle, with the
// locks before it held, is held back there, so that the others come to hold what it wants. When each is before its own, the cycle
// is closed: nobody in it can go on, which the core sees.
//
// Which lock it is does not matter here: an acquisition at the same line of another lock costs a pause, and a thrash. Whoever holds nothing
// is not held back: it closes no cycle.
#include "control/strategies/steered.hpp"

namespace heddle::control {
namespace {

bool is_in_cycle(const Actor* actor) {
  return actor->pending.op == Op::kAcquire && actor->held.size() > 0 &&
         sites_of_acquisition(steering(), actor->pending.pc) != 0;
}

}  // namespace

Actor* close_cycle(Actor* running) {
  release_the_patient();
  for (;;) {
    Actor* chosen = any_of_those([](const Actor* actor) { return !actor->steered.paused; });
    if (!chosen) chosen = thrash();
    if (!chosen) return kGreedy.choose(running);
    if (!is_in_cycle(chosen) || chosen->steered.let_go || !is_worth_a_pause(chosen)) return chosen;
    pause(chosen);
  }
}

}  // namespace heddle::control
