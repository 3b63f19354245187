#include "runtime/threads/tasks.hpp"

#include "runtime/access/memory_life.hpp"
#include "runtime/races/strand.hpp"

namespace heddle {

void describe(order::Task& task, TaskKind kind, StackId created_at) {
  task.kind = static_cast<u8>(kind);
  task.created_at = created_at;
  if (HEDDLE_UNLIKELY(g_runtime->creations != nullptr)) g_runtime->creations->created(task);
}

namespace {

// What lies below belongs to frames that are not in use when `top` is the innermost call.
uptr lowest_alive(const ThreadState& thread, const Frame* top) {
  return top > thread.frames ? top[-1].frame_address : thread.stack_high;
}

// Frames of earlier tasks on this stack are gone: what they touched there is not what the next frames will be.
void forget_dead_stack(ThreadState& thread) {
  // A task may run on a stack that is not the thread's, while what has left that is asleep, not dead.
  const uptr here = reinterpret_cast<uptr>(__builtin_frame_address(0));
  if (here < thread.stack_low || here >= thread.stack_high) return;
  const uptr alive = lowest_alive(thread, thread.top);
  if (thread.stack_touched >= alive || alive > thread.stack_high) return;
  new_memory_between_strands(thread.stack_touched, alive - thread.stack_touched);
  thread.stack_touched = alive;
  thread.marks_stamped = 0;
}

// The calls that a task left the thread in have returned.
bool left_calls_returned(const ThreadState& thread) {
  return thread.left_beyond != ThreadState::kNoneLeft && thread.top <= thread.frames + thread.left_beyond;
}
void expect_no_returns(ThreadState& thread) {
  thread.left_beyond = ThreadState::kNoneLeft;
  limit_frames(thread);
}

}  // namespace

void enter_task(ThreadState& thread, TaskContext& context) {
  forget_dead_stack(thread);
  if (HEDDLE_UNLIKELY(left_calls_returned(thread))) expect_no_returns(thread);
  context.outer = thread.context;
  context.stack_base = static_cast<u32>(thread.top - thread.frames);
  context.task->thread.store(thread.number, std::memory_order_relaxed);
  thread.context = &context;
  refresh(thread);
}

void drop_pending_in_frames(ThreadState& thread) {
  const uptr alive = lowest_alive(thread, thread.frames + thread.context->stack_base);
  if (alive <= thread.stack_high) drop_pending(thread, thread.stack_touched, alive);
}

void leave_task(ThreadState& thread) {
  TaskContext* context = thread.context;
  // An exception leaves calls without their exit hooks. And a part of an untied task may have run inside of a call of
  // an earlier part, which has returned, too.
  Frame* const base = thread.frames + context->stack_base;
  if (thread.top > base) thread.top = base;
  thread.context = context->outer;
  forget_dead_stack(thread);
  refresh(thread);
}

void leave_before_return(ThreadState& thread) {
  TaskContext* context = thread.context;
  if (context->stack_base < thread.left_beyond) thread.left_beyond = context->stack_base;
  limit_frames(thread);
  thread.context = context->outer;
  refresh(thread);
}

void forget_returned_frames(ThreadState& thread) {
  if (!left_calls_returned(thread)) return;
  RuntimeScope scope(thread);
  forget_dead_stack(thread);
  expect_no_returns(thread);
}

}  // namespace heddle
