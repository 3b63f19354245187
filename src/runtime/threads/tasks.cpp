#include "runtime/threads/tasks.hpp"

#include "runtime/access/memory_life.hpp"
#include "runtime/races/strand.hpp"
#include "runtime/threads/record_reuse.hpp"

namespace heddle {

void describe(order::Task& task, TaskKind kind, StackId created_at) {
  task.kind = static_cast<u8>(kind);
  task.created_at = created_at;
  // It gets at the creator's frames. Frontends whose tasks do so, too, say that themselves, with an exact place.
  if (ThreadState* creator = self(); creator && kind == TaskKind::kThread)
    share_stack(*creator, reinterpret_cast<uptr>(__builtin_frame_address(0)));
  if (g_runtime->counts_creations && task.parent)
    task.created_before = task.parent->live->created.next(created_at);
  if (ThreadState* creator = self()) record_reuse::collect(*creator);
}

namespace {

// Frames of earlier tasks and calls on this stack, below `alive`, are gone: what they touched there is not what the
// next frames will be. If `alive` is on another stack, what has left the thread's own is asleep, not dead.
void forget_dead_stack(ThreadState& thread, uptr alive) {
  if (thread.stack_touched >= alive || alive > thread.stack_high) return;
  new_memory_between_strands(thread.stack_touched, alive - thread.stack_touched);
  thread.stack_touched = alive;
  thread.marks_stamped = 0;
}

}  // namespace

void enter_task(ThreadState& thread, TaskContext& context, uptr frames_below) {
  forget_dead_stack(thread, frames_below);
  context.own_below = frames_below;
  context.outer = thread.context;
  context.stack_base = static_cast<u32>(thread.top - thread.frames);
  context.task->thread.store(thread.number, std::memory_order_relaxed);
  thread.context = &context;
  refresh(thread);
}

void drop_pending_in_frames(ThreadState& thread) {
  const uptr below = thread.context->own_below;
  if (below <= thread.stack_high) drop_pending(thread, thread.stack_touched, below);
}

void leave_task(ThreadState& thread) {
  TaskContext* context = thread.context;
  // An exception leaves calls without their exit hooks. And a part of an untied task may have run inside of a call of
  // an earlier part, which has returned, too.
  Frame* const base = thread.frames + context->stack_base;
  if (thread.top > base) thread.top = base;
  thread.context = context->outer;
  forget_dead_stack(thread, context->own_below);
  refresh(thread);
}

// Its calls may touch their frames once more before they return. That counts for the task below, as the last that it
// did before it goes on, so nothing can race with it.
void leave_before_return(ThreadState& thread) {
  TaskContext* context = thread.context;
  thread.context = context->outer;
  forget_dead_stack(thread, context->own_below);
  refresh(thread);
}

}  // namespace heddle
