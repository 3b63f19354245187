// Resumable tasks. A task that suspends itself leaves its thread with the whole stack that it runs on, and goes on there when somebody
// resumes it, perhaps on another thread. What runs in between on the thread runs on another stack, and has nothing to do with it. Whoever
// resumes hands over what it knows.
#include <cstring>

#include "frontend/tbb/tasks.hpp"
#include "runtime/recorder.hpp"
#include "runtime/thread_list.hpp"

namespace heddle::tbb {
namespace {

using Callback = void(void* data, void* suspend_point);

// What a stack takes along: the tasks on it and their calls.
struct Suspension {
  Callback* callback;
  void* data;
  Context* call = nullptr;  // the task that makes the program's call
  void* suspend_point = nullptr;
  TaskContext* context = nullptr;
  Proxy* proxy = nullptr;
  u32 base = 0;  // of the calls, on the thread that was left
  Frame* frames = nullptr;
  usize count = 0;
};

void leave_thread(ThreadState& thread, Suspension& suspension, uptr caller) {
  RuntimeScope scope(thread);
  suspension.call = memory::make<Context>();
  suspension.call->task = rt().order.spawn_thread(*thread.context->task);
  describe(*suspension.call->task, TaskKind::kTbbTask, current_stack(thread, caller));
  suspension.context = thread.context;
  suspension.proxy = std::exchange(t_proxy, nullptr);
  for (TaskContext* context = thread.context; context; context = context->outer)
    suspension.base = context->stack_base;
  Frame* first = thread.frames + suspension.base;
  suspension.count = static_cast<usize>(thread.top - first);
  suspension.frames = make_frames(suspension.count);
  __builtin_memcpy(static_cast<void*>(suspension.frames), first, suspension.count * sizeof(Frame));
  thread.top = first;
  thread.context = nullptr;
}

HEDDLE_NOINLINE void come_to_thread(Suspension& suspension) {
  ThreadState& thread = *self();
  RuntimeScope scope(thread);
  const usize depth = static_cast<usize>(thread.top - thread.frames);
  const usize room = static_cast<usize>(thread.frames_end - thread.frames);
  if (depth + suspension.count > room) {
    Frame* frames = make_frames(2 * (depth + suspension.count));
    __builtin_memcpy(static_cast<void*>(frames), thread.frames, depth * sizeof(Frame));
    thread_list::replace_frames(thread, frames, 2 * (depth + suspension.count));
  }
  __builtin_memcpy(static_cast<void*>(thread.top), suspension.frames, suspension.count * sizeof(Frame));
  thread.top += suspension.count;
  free_frames(suspension.frames, suspension.count);
  const u32 shift = static_cast<u32>(depth) - suspension.base;  // may be negative: modulo 2^32
  for (TaskContext* context = suspension.context; context; context = context->outer) {
    context->stack_base += shift;
    context->task->thread.store(thread.number, std::memory_order_relaxed);
  }
  for (Proxy* proxy = suspension.proxy; proxy; proxy = proxy->outer)
    proxy->depth += static_cast<usize>(static_cast<int>(shift));
  thread.context = suspension.context;
  t_proxy = suspension.proxy;
  recorder::moved_here(thread);
  await(thread, address_of(suspension.suspend_point), SyncTable::kOther);
}

// On another stack. The task may be resumed, and the suspension gone, before the program's call returns.
void call_back(void* data, void* suspend_point) {
  auto& suspension = *static_cast<Suspension*>(data);
  suspension.suspend_point = suspend_point;
  Context* context = suspension.call;
  Callback* callback = suspension.callback;
  void* of_program = suspension.data;
  {
    ThreadState& thread = *self();
    RuntimeScope scope(thread);
    forget_foreign_stack(thread, address_of(__builtin_frame_address(0)));
    recorder::begun(thread, *context->task);
    enter_task(thread, *context);
  }
  callback(of_program, suspend_point);
  ThreadState& thread = *self();
  RuntimeScope scope(thread);
  leave_task(thread);
  rt().order.end(*context->task);
  memory::destroy(context);
}

}  // namespace
}  // namespace heddle::tbb

using namespace heddle;

HEDDLE_TBB(void, suspend, "7suspendEPFvPvPNS1_18suspend_point_typeEES2_", tbb::Callback* callback,
           void* data) {
  ThreadState* thread = tbb::participant();
  if (!thread) return real_suspend(callback, data);
  tbb::Suspension suspension{callback, data};
  tbb::leave_thread(*thread, suspension, HEDDLE_CALLER);
  real_suspend(tbb::call_back, &suspension);
  tbb::come_to_thread(suspension);
}

HEDDLE_TBB(void, resume, "6resumeEPNS1_18suspend_point_typeE", void* suspend_point) {
  if (ThreadState* thread = tbb::participant()) {
    RuntimeScope scope(*thread);
    publish(*thread, address_of(suspend_point), SyncTable::kOther, true);
  }
  real_resume(suspend_point);
}
