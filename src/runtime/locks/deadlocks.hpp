// Deadlocks by lock order in the running program: the lock dependency relation (checker/deadlock/relation.hpp), fed
// with each lock that is wanted or acquired while others are held; and those that happen
// (checker/deadlock/wait_for.hpp). Only with --check=deadlock. Thread safety: any thread, for the task that it runs.
#pragma once

#include "runtime/state/process.hpp"

namespace heddle::deadlocks {

extern bool g_on;
void start();
// The task may have to wait for the lock at this address from here on, until it is acquired or given up. Whoever holds
// nothing is in no cycle.
void wants(ThreadState& thread, uptr address, LockKind kind, order::Mode mode, uptr pc);
// It waits for something else first, and then takes the lock: then it is not where it will be when it wants it, so
// nothing is predicted.
void will_want(ThreadState& thread, uptr address, LockKind kind, order::Mode mode, uptr pc);
void gave_up(ThreadState& thread);
// The task has got a lock; before that is noted in context->locks.
void acquired(ThreadState& thread, HeldLock lock, How how);
void released(TaskContext& context, HeldLock lock);

}  // namespace heddle::deadlocks
