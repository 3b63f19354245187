// Whoever runs goes on until it cannot, then the lowest-numbered actor that can. Those that yield come last, and take turns.
#include "control/strategy.hpp"

namespace heddle::control {
namespace {

Actor* greedy(Actor* running) {
  if (running && !running->pending.yields && enabled(running)) return running;
  Actor* polite = nullptr;
  for (Actor* actor = first_actor(); actor; actor = actor->next) {
    if (!enabled(actor)) continue;
    if (!actor->pending.yields) return actor;
    if (!polite || actor->ran < polite->ran) polite = actor;
  }
  return polite;
}

}  // namespace

const Strategy kGreedy{.choose = greedy, .stops_at_circles = true};

}  // namespace heddle::control
