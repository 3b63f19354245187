// Tasks outside of parallel regions. OpenMP puts an implicit region around them whose team is one thread, always:
// tasks that are made there may be deferred, so their order is open, but no two of them are ever at the same time,
// nor is one of them and the task that made it. The members of a team that one of them forks are not at the same time
// as the others, either, but as each other. Threads that the program makes itself are no part of this: they run at
// any time.
//
// A region inside of a region is another matter: whether it has one thread depends on settings, so there nothing is
// assumed. Neither is it for the tasks of `target nowait`, as a device is at work then.
#include "frontend/openmp/omp_task.hpp"
#include "runtime/recording/recorder.hpp"

namespace heddle::openmp {
namespace {

// The initial task of its thread?
bool is_initial(const TaskContext* context) {
  if (!context->frontend) return true;
  auto* task = static_cast<const OmpTask*>(context);
  return task->included && is_initial(task->outer);
}

// Names are no addresses: nothing is ever there.
uptr name_of(const order::Task& task) { return mix(u64{task.id} << 8 | 1) << 3 >> 20; }

HeldLock as_lock(ThreadState& thread, Turns turns) {
  Sync& sync = sync_at(thread, turns.name, SyncTable::kLock);
  return held(sync.lock_id, turns.mode == order::Mode::kWrite);
}

void record(ThreadState& thread, TaskContext* context, bool turn) {
  if (!rt().recording || !context || !context->task) return;
  Turns& turns = context->turns;
  // Members of teams have no turns of their own in a history (docs/history-format.md, "What has no words").
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
  // In an exploration the verification runtime gives out the turns, as a lock.
  if ((flags & ompt_task_target) || rt().explored) return {};
  if (!creator.turns.name && is_initial(&creator)) {
    take_turns(thread, creator, {name_of(*creator.task), order::Mode::kWrite});
    record_turn(thread, &creator);
  }
  return {creator.turns.name, creator.turns.mode};
}

Turns turns_of_team(ThreadState& thread) {
  const TaskContext& forks = *thread.context;
  // Nothing is left that the region could be parallel to.
  if (!forks.turns.name || rt().order.quiescent(*forks.task)) return {};
  return {forks.turns.name, order::Mode::kRead};
}

void record_turn(ThreadState& thread, TaskContext* context) { record(thread, context, true); }
void record_end_of_turn(ThreadState& thread, TaskContext* context) { record(thread, context, false); }

}  // namespace heddle::openmp
