// At every choice point, any of those that can go on.
#include "control/strategies/steered.hpp"

namespace heddle::control {

Actor* choose_randomly(Actor* running) {
  Actor* chosen = any_of_those([](const Actor*) { return true; });
  return chosen ? chosen : kGreedy.choose(running);
}

}  // namespace heddle::control
