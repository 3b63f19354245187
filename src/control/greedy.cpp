// The active actor continues until it blocks; then the enabled actor with the lowest number runs. Actors that yield
// come last, and take turns. An actor that never ends must not starve the others: after many steps in a row, the one
// that has waited longest runs.
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
