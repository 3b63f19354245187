#include "control/guided.hpp"
#include "control/strategies/steered.hpp"

namespace heddle::control {
namespace {

u32 site_of(const Actor* actor) {
  return actor->pending.sites ? static_cast<u32>(__builtin_ctz(actor->pending.sites)) : Backoff::kSites - 1;
}

}  // namespace

bool Pauses::is_worth_it(const Actor* actor) const {
  return backoff_.is_worth_a_pause(site_of(actor), random_numbers());
}

void Pauses::pause(Actor* actor) {
  actor->steered.paused = true;
  actor->steered.paused_at = board()->steps;
  ++steering().pauses;
}

void Pauses::release(Actor* actor) {
  actor->steered.paused = false;
  actor->steered.let_go = true;
  backoff_.failed(site_of(actor));
}

void Pauses::release_expired() {
  for (Actor* actor = first_actor(); actor; actor = actor->next) {
    if (!actor->steered.paused || board()->steps - actor->steered.paused_at < most_steps_) continue;
    release(actor);
    most_steps_ *= 2;
    ++steering().releases;
  }
}

Actor* Pauses::thrash() {
  Actor* actor = any_of_those([](const Actor* one) { return one->steered.paused; });
  if (!actor) return nullptr;
  release(actor);
  ++steering().thrashes;
  return actor;
}

}  // namespace heddle::control
