// Race-directed (RaceFuzzer, Sen 2008): whoever is about to make one of the two accesses is held back until another is about to make the other
// one. Who goes on meanwhile is chosen at random. Serves to bring two actors to any two places, too.
//
// That the two have met is seen in goal.cpp, before this is asked.
#include "control/strategies/steered.hpp"

namespace heddle::control {

Actor* bring_together(Actor* running) {
  release_the_patient();
  for (;;) {
    Actor* chosen = any_of_those([](const Actor* actor) { return !actor->steered.paused; });
    if (!chosen) chosen = thrash();
    if (!chosen) return kGreedy.choose(running);
    if (!at_site(chosen) || chosen->steered.let_go || !is_worth_a_pause(chosen)) return chosen;
    pause(chosen);
  }
}

}  // namespace heddle::control
