// Tasks outside of parallel regions. OpenMP puts an implicit region around them whose team always has one thread:
// tasks created there may be deferred, so their order is open, but no two of them run at the same time, nor does one
// of them beside the task that created it. The members of a team that one of them forks do not run beside the others,
// but beside each other. Threads that the program creates itself are not part of this: they run at any time.
//
// A nested region is different: whether it has one thread depends on settings, so nothing is assumed there. The same
// holds for the tasks of `target nowait`, which run on a device.
#include "frontend/openmp/omp_task.hpp"
#include "runtime/recording/recorder.hpp"

namespace heddle::openmp {
namespace {

// Is it the initial task of its thread?
bool is_initial(const TaskContext* context) {
  if (!context->frontend) return true;
  auto* task = static_cast<const OmpTask*>(context);
  return task->included && is_initial(task->outer);
}

// Names that are no valid addresses.
uptr name_of(const order::Task& task) { return mix(u64{task.id} << 8 | 1) << 3 >> 20; }

HeldLock as_lock(ThreadState& thread, Turns turns) {
  Sync& sync = sync_at(thread, turns.name, SyncTable::kLock);
  return held(sync.lock_id, turns.mode == order::Mode::kWrite);
}

void record(ThreadState& thread, TaskContext* context, bool turn) {
  if (!rt().recording || !context || !context->task) return;
  Turns& turns = context->turns;
  // Members of teams have no turns of their own in a history (docs/history-format.md, "Limits of the format").
  if (!turns.name || turns.mode == order::Mode::kRead || turns.recorded == turn) return;
  turns.recorded = turn;
  const HeldLock lock = as_lock(thread, turns);
  TaskContext* const current = std::exchange(thread.context, context);
  if (turn)
    recorder::acquired(thread, lock >> 1, lock & 1, {.waits = false});
  else
    recorder::released(thread, lock >> 1, lock & 1);
  thread.context = current;
}

}  // namespace

Turns turns_of_task(ThreadState& thread, int flags) {
  TaskContext& creator = *thread.context;
  // In an exploration the verification runtime schedules the turns, as a lock.
  if ((flags & ompt_task_target) || rt().explored) return {};
  if (!creator.turns.name && is_initial(&creator)) {
    take_turns(thread, creator, {name_of(*creator.task), order::Mode::kWrite});
    record_turn(thread, &creator);
  }
  return {creator.turns.name, creator.turns.mode};
}

Turns turns_of_team(ThreadState& thread) {
  const TaskContext& forks = *thread.context;
  // Nothing remains that the region could be parallel to.
  if (!forks.turns.name || rt().order.quiescent(*forks.task)) return {};
  return {forks.turns.name, order::Mode::kRead};
}

void record_turn(ThreadState& thread, TaskContext* context) { record(thread, context, true); }
void record_end_of_turn(ThreadState& thread, TaskContext* context) { record(thread, context, false); }

}  // namespace heddle::openmp
