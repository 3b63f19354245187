// Atomicity-directed (AtomFuzzer, Park and Sen 2008): whoever has made the first access of the pair is held back, wherever it stands, and so is
// the intruder until somebody is between; then the intruder goes first.
//
// There, a pause is before the pair's second access, or before its lock is acquired again. Here it is at any choice point after
// the first access: at the second one the actor may hold the lock that the intruder needs.
#include "control/strategies/steered.hpp"

namespace heddle::control {
namespace {

bool awaits_intruder(const Actor* actor) { return actor->steered.between && !actor->steered.intruded; }

bool is_intruder(const Actor* actor) { return at_site(actor) && (actor->pending.sites & 2) != 0; }

// Of somebody who is between.
bool can_intrude(const Actor* actor) {
  if (!is_intruder(actor)) return false;
  for (const Actor* other = first_actor(); other; other = other->next)
    if (other != actor && awaits_intruder(other) &&
        (steering().any_address ||
         overlap(actor->pending.object, actor->pending.size, other->steered.address, other->steered.size)))
      return true;
  return false;
}

}  // namespace

Actor* let_intruder_in(Actor* running) {
  release_the_patient();
  if (Actor* intruder = any_of_those(can_intrude)) return intruder;
  if (Actor* intruded = any_of_those([](const Actor* actor) { return actor->steered.intruded; }))
    return intruded;
  for (;;) {
    Actor* chosen = any_of_those([](const Actor* actor) { return !actor->steered.paused; });
    if (!chosen) chosen = thrash();
    if (!chosen) return kGreedy.choose(running);
    if (chosen->steered.let_go || !(awaits_intruder(chosen) || is_intruder(chosen)) ||
        !is_worth_a_pause(chosen))
      return chosen;
    pause(chosen);
  }
}

}  // namespace heddle::control
