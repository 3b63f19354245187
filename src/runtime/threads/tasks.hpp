// Tasks that a thread begins, leaves and ends, and what becomes of their frames on its stack.
#pragma once

#include "model/kinds.hpp"
#include "runtime/state/process.hpp"

namespace heddle {

// A task record; created_at is the caller's stack.
void describe(order::Task& task, TaskKind kind, StackId created_at);
// Starts / ends running a task on this thread, on top of what it runs now. The stack below the innermost call of the
// program is new memory then.
void enter_task(ThreadState& thread, TaskContext& context);
void leave_task(ThreadState& thread);
// The same inside of calls of the task, which return before anything else of the program begins here: a part of an
// untied task has put the next part into a queue. What their frames leave behind is forgotten before the next call, or
// the next task.
void leave_before_return(ThreadState& thread);
void forget_returned_frames(ThreadState& thread);
// Before the RuntimeScope in which the current task ends and is left: see drop_pending.
void drop_pending_in_frames(ThreadState& thread);

}  // namespace heddle
