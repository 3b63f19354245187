// Locks that the current task takes and releases.
#pragma once

#include "runtime/state/process.hpp"

namespace heddle {

void acquire_lock(ThreadState& thread, uptr address, LockKind kind, order::Mode mode, How how);
void release_lock(ThreadState& thread, uptr address, order::Mode mode);
// Whichever mode it is held in (rwlock unlock). Does nothing when it is not held.
void release_lock(ThreadState& thread, uptr address);
// In an exploration: what one task of the thread holds, another one holds from now on. An undeferred task runs under
// its parent's locks, and the parent has what it did not give back.
void pass_locks_on(ThreadState& thread, TaskContext& from, TaskContext& to);
// The task is one of those that a single thread runs, in any order but never two at the same time. In locksets that
// is a lock; but no clock passes from turn to turn, and no task waits. kRead: what members of a team do that
// one of them has forked, at the same time as each other.
void take_turns(ThreadState& thread, TaskContext& context, Turns turns);
// How often the current task holds the lock.
u32 times_held(ThreadState& thread, uptr address);

}  // namespace heddle
