// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte 2010): every actor has a random priority, the highest
// that can go on goes on, and at d - 1 steps, chosen beforehand, whoever runs falls below all others. A bug that needs d
// orderings shows with a probability of at least 1 / (n k^(d-1)), for n actors and k steps.
//
// As there, k must be guessed: it is the length of an execution that was not steered.
#include "control/guided.hpp"
#include "control/strategies/steered.hpp"

namespace heddle::control {
namespace {

constexpr u32 kMostChanges = 16;
constexpr u32 kLowest = kMostChanges + 1;  // priorities below are those of who has fallen
u32 g_changes[kMostChanges];
bool g_begun = false;

void begin() {
  g_begun = true;
  const u32 length = steering().length ? steering().length : 1;
  for (u32 i = 0; i < steering().changes && i < kMostChanges; ++i) g_changes[i] = chance(length);
}

Actor* highest() {
  Actor* best = nullptr;
  for (Actor* actor = first_actor(); actor; actor = actor->next) {
    if (actor->steered.priority == 0) actor->steered.priority = kLowest + chance(1u << 30);
    if (actor->pending.yields || !enabled(actor)) continue;
    if (!best || actor->steered.priority > best->steered.priority) best = actor;
  }
  return best;
}

}  // namespace

Actor* choose_by_priority(Actor* running) {
  if (!g_begun) begin();
  Actor* best = highest();
  for (u32 i = 0; best && i < steering().changes && i < kMostChanges; ++i)
    if (g_changes[i] == board()->steps) {
      best->steered.priority = kMostChanges - i;
      best = highest();
    }
  return best ? best : kGreedy.choose(running);
}

}  // namespace heddle::control
