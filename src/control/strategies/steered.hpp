// What the strategies of this folder are, and what they have in common: chance, whom to choose among, pauses.
#pragma once

#include "control/backoff.hpp"
#include "control/board.hpp"
#include "control/steering.hpp"

namespace heddle::control {

// Chooses which actor runs next, until the goal is reached. One a file, and a row in control/strategy_registry.inc.
// There is one object of each, which keeps its state; a process is one execution.
class Strategy {
 public:
  // As Scheduler::choose. Not pure: a program without libstdc++ has no function for calls of those.
  virtual Actor* choose(Actor* running);
};

namespace strategies {
#define STRATEGY(id, function, ...) Strategy& function();
#include "control/strategy_registry.inc"
#undef STRATEGY
}  // namespace strategies

Steering& steering();

// The execution's own sequence: the same seed gives the same numbers.
SplitMix64& random_numbers();
// The next of them, below `limit`.
inline u32 chance(u32 limit) { return random_numbers().below(limit); }

inline bool at_site(const Actor* actor) {
  return actor->state == State::kWaits && actor->pending.op == Op::kAccess && actor->pending.sites != 0;
}

// At random, one of those that can run, do not just yield, and fulfil the condition; null if there is none.
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

// Pauses of actors at sites, for the strategies that are directed at a goal. A pause ends in one of three ways: the
// goal is reached; all who could run are paused, and one of them is released at random (a *thrash*); or it times out
// after many steps of others, who may be waiting, in a loop, for what the paused one would do.
class Pauses {
 public:
  // Is the actor to be paused here once more? Less likely the more pauses at the site have failed.
  bool is_worth_it(const Actor* actor) const;
  void pause(Actor* actor);
  void release_expired();
  // All who could run are paused: releases one of them. Null: there is none.
  Actor* thrash();

 private:
  void release(Actor* actor);

  // Steps of others after which a pause times out. Each that does doubles it: the way to the other site may be long.
  u32 most_steps_ = 2000;
  Backoff backoff_;
};

}  // namespace heddle::control
