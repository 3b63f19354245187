// critical, omp locks, the runtime's locks for atomic, and ordered regions.
#include "frontend/openmp/omp_task.hpp"
#include "runtime/controlled/pauses.hpp"
#include "runtime/locks/deadlocks.hpp"

namespace heddle::openmp {

namespace {

bool is_turn(ompt_mutex_t kind) { return static_cast<int>(kind) == control::kTurnMutex; }

LockKind kind_of(ompt_mutex_t kind) {
  if (is_turn(kind)) return LockKind::kOneThread;
  switch (kind) {
    case ompt_mutex_lock:
    case ompt_mutex_test_lock:
      return LockKind::kOmpLock;
    case ompt_mutex_nest_lock:
    case ompt_mutex_test_nest_lock:
      return LockKind::kOmpNestLock;
    case ompt_mutex_critical:
      return LockKind::kCritical;
    case ompt_mutex_atomic:
      return LockKind::kAtomicRegion;
    default:
      return LockKind::kOther;
  }
}

// Iterations pass an ordered region one after the other: each releases to the next, in every schedule.
void on_ordered(ThreadState& thread, uptr id, bool enters) {
  if (enters)
    await(thread, id, SyncTable::kOther);
  else
    publish(thread, id, SyncTable::kOther);
}

uptr asks_at(const void* pc) { return t_asks_at ? t_asks_at : reinterpret_cast<uptr>(pc); }

bool only_tries(ompt_mutex_t kind) {
  return kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock || is_turn(kind);
}

void on_acquire(ompt_mutex_t kind, unsigned, unsigned, ompt_wait_id_t id, const void* pc) {
  ThreadState* thread = self();
  if (!thread || kind == ompt_mutex_ordered || only_tries(kind)) return;
  if (pauses::g_on) pauses::at_acquisition(*thread, id, asks_at(pc));
  // Who holds nothing is in no cycle, and what is pending need not be checked before the lock is there.
  if (!running(*thread) || thread->context->acquired_at.empty()) return;
  RuntimeScope scope(*thread);
  deadlocks::wants(*thread, id, kind_of(kind), order::Mode::kWrite, asks_at(pc));
}

void on_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void* pc) {
  ThreadState* thread = self();
  if (!thread || !running(*thread)) return;
  RuntimeScope scope(*thread);
  mutex_acquired(*thread, kind, id, {asks_at(pc), !only_tries(kind)});
}

void on_released(ompt_mutex_t kind, ompt_wait_id_t id, const void*) {
  ThreadState* thread = self();
  if (!thread || confirms_early_release(id) || !running(*thread)) return;
  RuntimeScope scope(*thread);
  mutex_released(*thread, kind, id);
}

void on_destroy(ompt_mutex_t, ompt_wait_id_t id, const void*) {
  if (ThreadState* thread = self()) {
    RuntimeScope scope(*thread);
    rt().syncs.forget(id);
  }
}

}  // namespace

void mutex_acquired(ThreadState& thread, ompt_mutex_t kind, uptr id, How how) {
  note_held(kind, id);
  if (kind == ompt_mutex_ordered)
    on_ordered(thread, id, true);
  else
    acquire_lock(thread, id, kind_of(kind), order::Mode::kWrite, how);
  if (kind == ompt_mutex_critical) name_critical(id);
}

void mutex_released(ThreadState& thread, ompt_mutex_t kind, uptr id) {
  note_released(id);
  if (kind == ompt_mutex_ordered)
    on_ordered(thread, id, false);
  else
    release_lock(thread, id, order::Mode::kWrite);
}

void register_locks(ompt_set_callback_t set) {
  if (deadlocks::g_on) set(ompt_callback_mutex_acquire, reinterpret_cast<ompt_callback_t>(on_acquire));
  set(ompt_callback_mutex_acquired, reinterpret_cast<ompt_callback_t>(on_acquired));
  set(ompt_callback_mutex_released, reinterpret_cast<ompt_callback_t>(on_released));
  set(ompt_callback_lock_destroy, reinterpret_cast<ompt_callback_t>(on_destroy));
}

}  // namespace heddle::openmp
