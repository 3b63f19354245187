// Race-directed (RaceFuzzer, Sen 2008): an actor that is about to make one of the two accesses is paused until
// another is about to make the other one. Meanwhile actors are chosen at random. Also serves to bring two actors to
// any two places.
//
// goal.cpp detects that the two have met, before this is called.
#include "control/strategies/steered.hpp"

namespace heddle::control {
namespace {

class RaceDirected final : public Strategy {
 public:
  Actor* choose(Actor* running) override {
    pauses_.release_expired();
    for (;;) {
      Actor* chosen = any_of_those([](const Actor* actor) { return !actor->steered.paused; });
      if (!chosen) chosen = pauses_.thrash();
      if (!chosen) return kGreedy.choose(running);
      if (!at_site(chosen) || chosen->steered.let_go || !pauses_.is_worth_it(chosen)) return chosen;
      pauses_.pause(chosen);
    }
  }

 private:
  Pauses pauses_;
};
constinit RaceDirected g_strategy;

}  // namespace

Strategy& strategies::race_directed() { return g_strategy; }

}  // namespace heddle::control
