// The interface of the strategies in this folder, and their common parts: random numbers, enabled actors, pauses.
#pragma once

#include "control/backoff.hpp"
#include "control/board.hpp"
#include "control/steering.hpp"

namespace heddle::control {

// Chooses the active actor until the goal is reached. One per file, and a row in control/strategy_registry.inc. There
// is one object of each, which keeps its state; a process is one execution.
class Strategy {
 public:
  // As Scheduler::choose. Not pure: a program without libstdc++ lacks the handler for pure virtual calls.
  virtual Actor* choose(Actor* running);
};

namespace strategies {
#define STRATEGY(id, function, ...) Strategy& function();
#include "control/strategy_registry.inc"
#undef STRATEGY
}  // namespace strategies

Steering& steering();

// The execution's random numbers: the same seed gives the same numbers.
SplitMix64& random_numbers();
// The next of them, below `limit`.
inline u32 chance(u32 limit) { return random_numbers().below(limit); }

inline bool at_site(const Actor* actor) {
  return actor->state == State::kWaits && actor->pending.op == Op::kAccess && actor->pending.sites != 0;
}

// A random enabled actor that does not merely yield and fulfils the condition; null if there is none.
template <class Condition>
Actor* any_of_those(Condition condition) {
  const auto is_candidate = [&](const Actor* actor) {
    return !actor->pending.yields && enabled(actor) && condition(actor);
  };
  u32 count = 0;
  for (Actor* actor = first_actor(); actor; actor = actor->next) count += is_candidate(actor);
  if (count == 0) return nullptr;
  u32 left = chance(count);
  for (Actor* actor = first_actor(); actor; actor = actor->next)
    if (is_candidate(actor) && left-- == 0) return actor;
  return nullptr;
}

// Pauses of actors at sites, for goal-directed strategies. A pause ends in one of three ways: the goal is reached;
// all enabled actors are paused, and a random one is released (a *thrash*); or it times out after many steps of
// others, which may be polling for something that the paused actor would do.
class Pauses {
 public:
  // Should the actor be paused here again? Less likely the more pauses at the site have failed.
  bool is_worth_it(const Actor* actor) const;
  void pause(Actor* actor);
  void release_expired();
  // All enabled actors are paused: releases one of them. Null: there is none.
  Actor* thrash();

 private:
  void release(Actor* actor);

  // Steps of others after which a pause times out. Each timeout doubles it: the path to the other site may be long.
  u32 most_steps_ = 2000;
  Backoff backoff_;
};

}  // namespace heddle::control
