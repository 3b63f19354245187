// Whoever runs goes on until it cannot, then the lowest-numbered actor that can. Those that yield come last, and take
// turns. Those that never come to an end must not keep the others from theirs: after many steps in a row, whoever has
// waited longest goes on.
#include "control/strategy.hpp"

namespace heddle::control {
namespace {

constexpr u32 kMostInARow = 1000;

Actor* who_waited_longest() {
  Actor* longest = nullptr;
  for (Actor* actor = first_actor(); actor; actor = actor->next)
    if (enabled(actor) && !actor->pending.yields && (!longest || actor->ran < longest->ran)) longest = actor;
  return longest;
}

Actor* greedy(Actor* running) {
  if (running && !running->pending.yields && enabled(running))
    return running->in_a_row < kMostInARow ? running : who_waited_longest();
  Actor* polite = nullptr;
  for (Actor* actor = first_actor(); actor; actor = actor->next) {
    if (!enabled(actor)) continue;
    if (!actor->pending.yields) return actor;
    if (!polite || actor->ran < polite->ran) polite = actor;
  }
  return polite;
}

}  // namespace

const Scheduler kGreedy{.choose = greedy, .stops_at_circles = true};

}  // namespace heddle::control
