// Deadlock-directed (DeadlockFuzzer, Joshi, Park, Sen and Naik 2009): an actor that is about to make one of the
// acquisitions of the cycle, with the preceding locks held, is paused there, so that the others can acquire what it
// wants. When each is at its own acquisition, the cycle is closed: none of them is enabled, and the core reports a
// deadlock.
//
// Locks and tasks match by names that are equal in every execution (runtime/state/abstract_names.hpp), and by the
// *context*: where the held locks were acquired. A name that is too coarse pauses other actors and thrashes; one that
// differs between executions misses the pause. So a lock or task without a name matches.
//
// A *yield* (Park 2012, section 5.3): before an actor acquires the first lock of the cycle, others run first, while
// any is enabled. An actor that is paused too early would keep others from locks that they need on their way to the
// cycle.
#include "control/strategies/steered.hpp"

namespace heddle::control {
namespace {

bool is_task_of(const CycleEdge& edge, const Actor* actor) {
  return edge.task == 0 || !name_of_task || may_be_the_same(edge.task, name_of_task(actor));
}

// The locks of this edge that it holds, as bits.
u32 held_of_edge(const Actor* actor, u32 edge) {
  u32 held = 0;
  for (const HeldLock& lock : actor->held) held |= held_at_site(steering(), edge, lock.pc);
  return held;
}

bool is_in_edge(const Actor* actor, u32 at) {
  const CycleEdge& edge = steering().edge[at];
  if (!steering().ignores_context && held_of_edge(actor, at) != (1u << edge.held) - 1) return false;
  if (edge.lock && name_of_lock && !may_be_the_same(edge.lock, name_of_lock(actor->pending.object)))
    return false;
  return is_task_of(edge, actor);
}

bool is_in_cycle(const Actor* actor) {
  if (actor->pending.op != Op::kAcquire || actor->held.empty()) return false;
  const u32 sites = sites_of_acquisition(steering(), actor->pending.pc);
  for (u32 edge = 0; edge < steering().sites; ++edge)
    if ((sites & 1u << edge) && is_in_edge(actor, edge)) return true;
  return false;
}

bool is_at_entrance(const Actor* actor) {
  if (actor->pending.op != Op::kAcquire || steering().never_yields) return false;
  for (u32 edge = 0; edge < steering().sites; ++edge)
    if (held_at_site(steering(), edge, actor->pending.pc) && held_of_edge(actor, edge) == 0 &&
        is_task_of(steering().edge[edge], actor))
      return true;
  return false;
}

class DeadlockDirected final : public Strategy {
 public:
  Actor* choose(Actor* running) override {
    pauses_.release_expired();
    for (;;) {
      Actor* chosen =
          any_of_those([](const Actor* actor) { return !actor->steered.paused && !actor->steered.yielded; });
      if (!chosen) chosen = any_of_those([](const Actor* actor) { return !actor->steered.paused; });
      if (!chosen) chosen = pauses_.thrash();
      if (!chosen) return kGreedy.choose(running);
      if (!chosen->steered.yielded && !chosen->steered.let_go && is_at_entrance(chosen)) {
        chosen->steered.yielded = true;
        continue;
      }
      if (!is_in_cycle(chosen) || chosen->steered.let_go || !pauses_.is_worth_it(chosen)) return chosen;
      pauses_.pause(chosen);
    }
  }

 private:
  Pauses pauses_;
};
constinit DeadlockDirected g_strategy;

}  // namespace

Strategy& strategies::deadlock_directed() { return g_strategy; }

}  // namespace heddle::control
