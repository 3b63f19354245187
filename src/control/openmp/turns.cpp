// Tasks of a team of one thread outside of parallel regions. They may be deferred, so their order is open, but they
// run one at a time. If each is an actor, they and the initial task take turns: the task that has the turn holds a
// lock, and releases it only at OpenMP's task scheduling points.
//
// This holds for the initial thread, and for a target region. A thread that the program created has ended, for the
// core, before OpenMP learns of it, and could not give up its last turn: its tasks count as parallel.
#include "control/openmp/tasks.hpp"

namespace heddle::gomp {
namespace {

constexpr auto kTurn = static_cast<ompt_mutex_t>(control::kTurnMutex);

uptr lock_of(const Team& team) { return reinterpret_cast<uptr>(&team.takes_turns); }

// A target task runs on a device: at any time.
bool has_turns(const Thread& thread) {
  return thread.task->team->takes_turns && !thread.task->target && controlled();
}

}  // namespace

void start_turns(Thread& thread) {
  Team& team = *thread.task->team;
  if (!team.may_take_turns || team.takes_turns) return;
  team.takes_turns = true;
  take_turn(thread);
}

void take_turn(Thread& thread) {
  if (!has_turns(thread)) return;
  const uptr lock = lock_of(*thread.task->team);
  core().acquire(lock, true, control::kNoDeadline, 0);
  tool().mutex_acquired(kTurn, lock, nullptr);
}

void give_turn(Thread& thread) {
  if (!has_turns(thread)) return;
  const uptr lock = lock_of(*thread.task->team);
  core().release(lock);
  tool().mutex_released(kTurn, lock, nullptr);
  cut();
}

}  // namespace heddle::gomp
