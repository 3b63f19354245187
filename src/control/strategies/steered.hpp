// What the strategies of this folder have in common: chance, and whom to choose among.
#pragma once

#include "control/board.hpp"
#include "control/steering.hpp"

namespace heddle::control {

Steering& steering();

// The next number of the execution's own sequence, below `limit`. The same seed gives the same sequence.
u32 chance(u32 limit);

inline bool at_site(const Actor* actor) {
  return actor->state == State::kWaits && actor->pending.op == Op::kAccess && actor->pending.sites != 0;
}

inline bool overlap(uptr a, u32 a_size, uptr b, u32 b_size) { return a < b + b_size && b < a + a_size; }

// Any of those that can go on, do not just yield, and of which `is_meant`; null if there is none.
template <class IsMeant>
Actor* any_of_those(IsMeant is_meant) {
  u32 count = 0;
  for (Actor* actor = first_actor(); actor; actor = actor->next)
    if (!actor->pending.yields && enabled(actor) && is_meant(actor)) ++count;
  if (count == 0) return nullptr;
  u32 left = chance(count);
  for (Actor* actor = first_actor(); actor; actor = actor->next)
    if (!actor->pending.yields && enabled(actor) && is_meant(actor) && left-- == 0) return actor;
  return nullptr;
}

Actor* choose_randomly(Actor* running);
Actor* choose_by_priority(Actor* running);
Actor* bring_together(Actor* running);
Actor* let_intruder_in(Actor* running);
Actor* close_cycle(Actor* running);

// --- pausing ---------------------------------------------------------------------------------------------------------

// Is the actor to be held back here once more? Less and less likely where it came to nothing (backoff).
bool is_worth_a_pause(const Actor* actor);
void pause(Actor* actor);
// Lets those go that were held back while the others came to nothing.
void release_the_patient();
// Everybody who could go on is held back: one of them is let go. Null: there is none.
Actor* thrash();

}  // namespace heddle::control
