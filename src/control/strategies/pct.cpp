// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte 2010): every actor has a random
// priority, the enabled actor with the highest one runs, and at d - 1 steps, drawn beforehand, the active actor's
// priority drops below all others. A bug of depth d shows with a probability of at least 1 / (n k^(d-1)), for n
// actors and k steps.
//
// As in the paper, k must be estimated: it is the length of an execution that was not steered.
#include "control/guided.hpp"
#include "control/strategies/steered.hpp"

namespace heddle::control {
namespace {

class Pct final : public Strategy {
 public:
  Actor* choose(Actor* running) override {
    if (!begun_) begin();
    Actor* best = highest();
    for (u32 i = 0; best && i < count_; ++i)
      if (changes_[i] == board()->steps) {
        best->steered.priority = kMostChanges - i;
        best = highest();
      }
    return best ? best : kGreedy.choose(running);
  }

 private:
  static constexpr u32 kMostChanges = 16;
  static constexpr u32 kLowest = kMostChanges + 1;  // lower priorities are those after a change

  void begin() {
    begun_ = true;
    count_ = steering().changes < kMostChanges ? steering().changes : kMostChanges;
    const u32 length = steering().length ? steering().length : 1;
    for (u32 i = 0; i < count_; ++i) changes_[i] = chance(length);
  }

  static Actor* highest() {
    Actor* best = nullptr;
    for (Actor* actor = first_actor(); actor; actor = actor->next) {
      if (actor->steered.priority == 0) actor->steered.priority = kLowest + chance(1u << 30);
      if (actor->pending.yields || !enabled(actor)) continue;
      if (!best || actor->steered.priority > best->steered.priority) best = actor;
    }
    return best;
  }

  bool begun_ = false;
  u32 count_ = 0;
  u32 changes_[kMostChanges] = {};  // steps
};
constinit Pct g_strategy;

}  // namespace

Strategy& strategies::pct() { return g_strategy; }

}  // namespace heddle::control
