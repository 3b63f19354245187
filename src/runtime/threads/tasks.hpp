// Tasks that a thread begins, leaves and ends, and what becomes of their frames on its stack.
#pragma once

#include "model/kinds.hpp"
#include "runtime/state/process.hpp"

namespace heddle {

// A task record, right after it was made; created_at is the caller's stack.
void describe(order::Task& task, TaskKind kind, StackId created_at);
// Starts / ends running a task on this thread, on top of what it runs now. All its frames will be below `frames_below`,
// and nothing of what the thread runs now is there: a place between the stack pointer with which the program called a
// runtime system, and that with which this one calls the task. (The frame of the program's innermost function says too
// little: it ends where the function was entered, and what alloca gives and arrays of variable length come later.)
// Below that, the stack is new memory at both times. An address outside of the thread's stack: it is not in use there.
void enter_task(ThreadState& thread, TaskContext& context, uptr frames_below);
void leave_task(ThreadState& thread);
// The same inside of calls of the task, which return before anything else of the program begins here: a part of an
// untied task has put the next part into a queue.
void leave_before_return(ThreadState& thread);
// Before the RuntimeScope in which the current task ends and is left: see drop_pending.
void drop_pending_in_frames(ThreadState& thread);
// The current task may have passed memory of its frames, from this address on, to tasks on other threads: that memory,
// too, is to be forgotten when it ends.
inline void share_stack(ThreadState& thread, uptr lowest) {
  if (lowest < thread.stack_touched && lowest >= thread.stack_low && lowest < thread.stack_high)
    thread.stack_touched = lowest;
}
// The stack pointer with which the function that expands this was called.
#define HEDDLE_CALLED_AT \
  (reinterpret_cast<::heddle::uptr>(__builtin_frame_address(0)) + 2 * sizeof(::heddle::uptr))

}  // namespace heddle
