// Shared by the files of this folder: short functions for "this call synchronises".
//
// A hook first checks whether the call counts (participant), calls the real function outside of any scope, as it may
// block, be cancelled or run a signal handler, and then updates the runtime inside a RuntimeScope.
#pragma once

#include <cerrno>

#include "frontend/controlled.hpp"
#include "frontend/interpose.hpp"
#include "runtime/controlled/pauses.hpp"
#include "runtime/locks/deadlocks.hpp"

namespace heddle::threads {

using namespace controlled;
using order::Mode;

// A signal into / out of an object at an address of the program.
inline void publish_at(uptr caller, const volatile void* object, SyncTable::Space space = SyncTable::kOther) {
  if (ThreadState* thread = participant(caller)) {
    RuntimeScope scope(*thread);
    publish(*thread, address_of(object), space);
  }
}
inline void await_at(uptr caller, const volatile void* object, SyncTable::Space space = SyncTable::kOther) {
  if (ThreadState* thread = participant(caller)) {
    RuntimeScope scope(*thread);
    await(*thread, address_of(object), space);
  }
}

// `waits`: it would have waited for the lock without a limit.
inline void locked(uptr caller, const volatile void* lock, LockKind kind, Mode mode = Mode::kWrite,
                   bool waits = true) {
  if (ThreadState* thread = participant(caller)) {
    RuntimeScope scope(*thread);
    acquire_lock(*thread, address_of(lock), kind, mode, {caller, waits});
  }
}
// Under the verification runtime, before the choice point: the wanted lock is known even if it is never acquired.
inline void wants(uptr caller, const volatile void* lock, LockKind kind, Mode mode = Mode::kWrite) {
  if (HEDDLE_LIKELY(!deadlocks::g_on)) return;
  if (ThreadState* thread = participant(caller)) {
    RuntimeScope scope(*thread);
    deadlocks::wants(*thread, address_of(lock), kind, mode, caller);
  }
}
inline void gave_up(uptr caller) {
  if (HEDDLE_LIKELY(!deadlocks::g_on)) return;
  if (ThreadState* thread = participant(caller)) deadlocks::gave_up(*thread);
}

// The real call, which waits for the lock, and returns 0 if it acquired it. With --check=deadlock, other threads can
// see meanwhile that it waits: unless `try_it` acquires the lock at once, with the result of a call that does not
// wait. Not under the verification runtime, which knows anyway.
template <class Try, class Wait>
int lock_or_wait(uptr caller, const volatile void* lock, LockKind kind, Mode mode, Try try_it, Wait wait) {
  ThreadState* thread = HEDDLE_UNLIKELY(deadlocks::g_on) ? participant(caller) : nullptr;
  if (!thread || control::active()) return wait();
  if (pauses::g_on) pauses::at_acquisition(*thread, address_of(lock), caller);
  if (int result = try_it(); result != EBUSY) return result;
  {
    RuntimeScope scope(*thread);
    deadlocks::wants(*thread, address_of(lock), kind, mode, caller);
  }
  int result = wait();
  if (result != 0) deadlocks::gave_up(*thread);
  return result;
}

// Before the real unlock: afterwards another thread may have the lock, and its memory.
inline void unlocking(uptr caller, const volatile void* lock) {
  if (ThreadState* thread = participant(caller)) {
    RuntimeScope scope(*thread);
    release_lock(*thread, address_of(lock));
  }
}

// An object is created or destroyed at the address: the clock of an earlier one there does not apply to it.
inline void renewed(uptr caller, const volatile void* object) {
  if (control::active()) control::forget(address_of(object));
  if (ThreadState* thread = participant(caller)) {
    RuntimeScope scope(*thread);
    rt().syncs.forget(address_of(object));
  }
}

// A join or a signal that has no address in the program.
inline void publish_to(ThreadState& thread, order::SyncObject& object) {
  RuntimeScope scope(thread);
  rt().order.publish(*thread.context->task, object);
}
inline void await_on(ThreadState& thread, order::SyncObject& object) {
  RuntimeScope scope(thread);
  rt().order.await(*thread.context->task, object);
}

}  // namespace heddle::threads
