// Holding actors back, and letting them go again: by chance when everybody is held back (a *thrash*), and when those who are not come to
// nothing for too long (a livelock: they may be waiting, in a loop, for what the paused one would do).
#include "control/guided.hpp"
#include "control/strategies/steered.hpp"

namespace heddle::control {
namespace {

// Steps of others that a pause lasts, at first; twice as long each time, as the way to the other place may be long.
constexpr u32 kPatience = 2000;
u32 g_patience = kPatience;

// By site: how often somebody was let go there and nothing had come of it.
constexpr u32 kSites = 32;
u32 g_vain[kSites];
// So many in vain halve the chance of a pause, down to one in kLeast.
constexpr u32 kHalf = 4, kLeast = 64;

u32 site_of(const Actor* actor) {
  return actor->pending.sites ? static_cast<u32>(__builtin_ctz(actor->pending.sites)) : kSites - 1;
}

void let_go(Actor* actor) {
  actor->steered.paused = false;
  actor->steered.let_go = true;
  ++g_vain[site_of(actor)];
}

}  // namespace

bool is_worth_a_pause(const Actor* actor) {
  const u32 halves = g_vain[site_of(actor)] / kHalf;
  return chance(halves < 6 ? 1u << halves : kLeast) == 0;
}

void pause(Actor* actor) {
  actor->steered.paused = true;
  actor->steered.paused_at = board()->steps;
  ++steering().pauses;
}

void release_the_patient() {
  for (Actor* actor = first_actor(); actor; actor = actor->next) {
    if (!actor->steered.paused || board()->steps - actor->steered.paused_at < g_patience) continue;
    let_go(actor);
    g_patience *= 2;
    ++steering().releases;
  }
}

Actor* thrash() {
  Actor* actor = any_of_those([](const Actor* one) { return one->steered.paused; });
  if (!actor) return nullptr;
  let_go(actor);
  ++steering().thrashes;
  return actor;
}

}  // namespace heddle::control
