// Atomicity-directed (AtomFuzzer, Park and Sen 2008): an actor that has made the first access of the pair is paused,
// wherever it is. The interleaving actor is paused until another is between the two accesses of a pair; then it runs
// first.
//
// In the paper, a pause is before the pair's second access, or before its lock is acquired again. Here it is at any
// choice point after the first access: at the second one the actor may hold the lock that the interleaving actor
// needs.
#include "control/strategies/steered.hpp"

namespace heddle::control {
namespace {

bool awaits_intruder(const Actor* actor) { return actor->steered.between && !actor->steered.intruded; }

bool is_intruder(const Actor* actor) { return at_site(actor) && (actor->pending.sites & 2) != 0; }

// Of an actor that is between the accesses.
bool can_intrude(const Actor* actor) {
  if (!is_intruder(actor)) return false;
  for (const Actor* other = first_actor(); other; other = other->next)
    if (other != actor && awaits_intruder(other) &&
        (steering().any_address ||
         overlap(actor->pending.object, actor->pending.size, other->steered.address, other->steered.size)))
      return true;
  return false;
}

class AtomicityDirected final : public Strategy {
 public:
  Actor* choose(Actor* running) override {
    pauses_.release_expired();
    if (Actor* intruder = any_of_those(can_intrude)) return intruder;
    if (Actor* intruded = any_of_those([](const Actor* actor) { return actor->steered.intruded; }))
      return intruded;
    for (;;) {
      Actor* chosen = any_of_those([](const Actor* actor) { return !actor->steered.paused; });
      if (!chosen) chosen = pauses_.thrash();
      if (!chosen) return kGreedy.choose(running);
      if (chosen->steered.let_go || !(awaits_intruder(chosen) || is_intruder(chosen)) ||
          !pauses_.is_worth_it(chosen))
        return chosen;
      pauses_.pause(chosen);
    }
  }

 private:
  Pauses pauses_;
};
constinit AtomicityDirected g_strategy;

}  // namespace

Strategy& strategies::atomicity_directed() { return g_strategy; }

}  // namespace heddle::control
