#include "runtime/sync/locks.hpp"

#include "control/control.hpp"
#include "control/strategy.hpp"
#include "runtime/annotated/steps.hpp"
#include "runtime/locks/deadlocks.hpp"
#include "runtime/races/strand.hpp"
#include "runtime/recording/recorder.hpp"
#include "runtime/sync/signals.hpp"

namespace heddle {
namespace {

Sync& lock_at(ThreadState& thread, uptr address) { return sync_at(thread, address, SyncTable::kLock); }
Sync* find_lock(ThreadState& thread, uptr address) { return find_sync(thread, address, SyncTable::kLock); }

// Most often it is the only lock that is held.
LocksetId lockset_with(LocksetId held, Sync& sync, HeldLock lock) {
  if (held) return rt().locksets.with(held, lock);
  std::atomic<u32>& only = sync.only[lock & 1];
  LocksetId id = only.load(std::memory_order_relaxed);
  if (!id) {
    id = rt().locksets.with(0, lock);
    only.store(id, std::memory_order_relaxed);
  }
  return id;
}
LocksetId lockset_without(LocksetId held, Sync& sync, HeldLock lock) {
  return held && held == sync.only[lock & 1].load(std::memory_order_relaxed)
             ? 0
             : rt().locksets.without(held, lock);
}

}  // namespace

void acquire_lock(ThreadState& thread, uptr address, LockKind kind, order::Mode mode, How how) {
  TaskContext* context = thread.context;
  if (!running(thread)) return;
  Sync& sync = lock_at(thread, address);
  HeldLock lock = held(rt().syncs.lock_id(sync, kind), mode == order::Mode::kWrite);
  rt().order.acquire(*context->task, sync.lock, mode);
  ++context->within_step;
  bool outermost = true;
  for (HeldLock other : context->locks) outermost &= other != lock;
  if (outermost) recorder::acquired(thread, lock >> 1, lock & 1, how);
  if (HEDDLE_UNLIKELY(deadlocks::g_on)) deadlocks::acquired(thread, lock, how);
  context->locks.push_back(lock);
  context->lockset = lockset_with(context->lockset, sync, lock);
  if (HEDDLE_UNLIKELY(g_observer != nullptr)) annotated::locks_changed(thread);
  refresh(thread);
  if (HEDDLE_UNLIKELY(control::on()) && control::splits_acquisitions()) control::cut();
}

void release_lock(ThreadState& thread, uptr address, order::Mode mode) {
  TaskContext* context = thread.context;
  if (!running(thread)) return;
  Sync* sync = find_lock(thread, address);
  if (!sync) return;
  HeldLock lock = held(sync->lock_id, mode == order::Mode::kWrite);
  u32 others = 0, last = ~0u;
  for (u32 i = 0; i < context->locks.size(); ++i) {
    if (context->locks[i] != lock) continue;
    if (last != ~0u) ++others;
    last = i;
  }
  if (HEDDLE_UNLIKELY(control::on()) && others == 0) control::about_to_release(address);
  // Released by a task that did not take it (legal for semaphores used as locks): knowledge is handed over all the
  // same.
  rt().order.release(*context->task, sync->lock, mode);
  ++context->within_step;
  if (others == 0) recorder::released(thread, lock >> 1, lock & 1);
  if (last != ~0u) {
    if (HEDDLE_UNLIKELY(deadlocks::g_on)) deadlocks::released(*context, lock);
    context->locks.erase_swap(last);
    if (others == 0) context->lockset = lockset_without(context->lockset, *sync, lock);
  }
  if (HEDDLE_UNLIKELY(g_observer != nullptr)) annotated::locks_changed(thread);
  refresh(thread);
}

void release_lock(ThreadState& thread, uptr address) {
  TaskContext* context = thread.context;
  Sync* sync = running(thread) ? find_lock(thread, address) : nullptr;
  if (!sync) return;
  for (HeldLock lock : context->locks) {
    if (lock >> 1 != sync->lock_id) continue;
    return release_lock(thread, address, lock & 1 ? order::Mode::kWrite : order::Mode::kRead);
  }
  // It passed from one task to another: a history has no words for that.
  if (g_runtime->explored) control::assume(control::Assumption::kOwnLocks);
}

void pass_locks_on(ThreadState& thread, TaskContext& from, TaskContext& to) {
  if (!g_runtime->explored || from.locks.empty()) return;
  TaskContext* const current = thread.context;
  for (u32 i = 0; i < from.locks.size(); ++i) {
    const HeldLock lock = from.locks[i];
    bool again = false;
    for (u32 before = 0; before < i; ++before) again |= from.locks[before] == lock;
    to.locks.push_back(lock);
    if (again) continue;
    // No other task holds it in between.
    thread.context = &to;
    recorder::acquired(thread, lock >> 1, lock & 1, {.waits = false});
    thread.context = &from;
    recorder::released(thread, lock >> 1, lock & 1);
  }
  thread.context = current;
  to.lockset = from.lockset;
  from.locks.clear();
  from.lockset = 0;
}

void take_turns(ThreadState& thread, TaskContext& context, Turns turns) {
  Sync& sync = lock_at(thread, turns.name);
  const HeldLock lock =
      held(rt().syncs.lock_id(sync, LockKind::kOneThread), turns.mode == order::Mode::kWrite);
  context.turns = turns;
  context.locks.push_back(lock);
  context.lockset = lockset_with(context.lockset, sync, lock);
}

u32 times_held(ThreadState& thread, uptr address) {
  TaskContext* context = thread.context;
  Sync* sync = running(thread) ? find_lock(thread, address) : nullptr;
  u32 count = 0;
  if (sync && sync->lock_id)
    for (HeldLock lock : context->locks) count += lock >> 1 == sync->lock_id;
  return count;
}

}  // namespace heddle
