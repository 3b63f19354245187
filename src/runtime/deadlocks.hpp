// Deadlocks by lock order in the running program: the lock dependency relation (checker/deadlock/relation.hpp), fed with each lock that
// is acquired while others are held. Only with --check=deadlock.
// Thread safety: any thread, for the task that it runs.
#pragma once

#include "runtime/runtime.hpp"

namespace heddle::deadlocks {

extern bool g_on;
void start();
// The task has got a lock; before that is noted in context->locks.
void acquired(ThreadState& thread, HeldLock lock, How how);
void released(TaskContext& context, HeldLock lock);

struct Figures {
  u32 situations, entries;
  bool gave_up;
};
Figures figures();

}  // namespace heddle::deadlocks
