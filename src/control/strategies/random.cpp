// At every choice point, a random enabled actor.
#include "control/strategies/steered.hpp"

namespace heddle::control {
namespace {

class Random final : public Strategy {
 public:
  Actor* choose(Actor* running) override {
    Actor* chosen = any_of_those([](const Actor*) { return true; });
    return chosen ? chosen : kGreedy.choose(running);
  }
};
constinit Random g_strategy;

}  // namespace

Strategy& strategies::random() { return g_strategy; }

}  // namespace heddle::control
