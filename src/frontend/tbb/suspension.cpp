// Resumable tasks. A task that suspends itself leaves its thread with the whole stack that it runs on, and continues
// there when it is resumed, perhaps on another thread. Code that the thread runs in between is on another stack, and
// independent. The resuming task releases to it.
#include <cstring>

#include "base/hash_map.hpp"
#include "base/spin_lock.hpp"
#include "frontend/tbb/tasks.hpp"
#include "runtime/recording/recorder.hpp"
#include "runtime/state/thread_list.hpp"

namespace heddle::tbb {
namespace {

// A thread's own stack may be run by another thread, a visitor. When no task is left on it, its owner calls it back,
// within the library: the frames below the tasks (the call that waits, and its callers) then wait here for the owner.
struct Visit {
  bool now;
  usize depth;  // of the visitor's own calls
  u32 shift;    // added by come_to_thread to the positions of calls
};
__thread Visit t_visit __attribute__((tls_model("initial-exec"))) = {};

struct CalledBack {
  Frame* frames;
  usize count;
  u32 base;
};
struct CalledBackTable {
  SpinLock lock;
  HashMap<CalledBack> map;  // by the context that waits
  std::atomic<u32> count{0};
};
Global<CalledBackTable> g_called_back;

using Callback = void(void* data, void* suspend_point);

// The state that moves with a stack: the tasks on it and their calls.
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
  t_visit.now = false;
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
  const uptr stack = address_of(&suspension);
  t_visit = {stack < thread.stack_low || stack >= thread.stack_high, depth, shift};
  thread.context = suspension.context;
  t_proxy = suspension.proxy;
  recorder::moved_here(thread);
  await(thread, address_of(suspension.suspend_point), SyncTable::kOther);
}

// On another stack. The task may be resumed, and the suspension freed, before the program's call returns.
void call_back(void* data, void* suspend_point) {
  auto& suspension = *static_cast<Suspension*>(data);
  suspension.suspend_point = suspend_point;
  Context* context = suspension.call;
  Callback* callback = suspension.callback;
  void* of_program = suspension.data;
  {
    ThreadState& thread = *self();
    RuntimeScope scope(thread);
    const uptr here = address_of(__builtin_frame_address(0));
    forget_foreign_stack(thread, here);
    recorder::begun(thread, *context->task);
    enter_task(thread, *context, here);
  }
  callback(of_program, suspend_point);
  ThreadState& thread = *self();
  RuntimeScope scope(thread);
  leave_task(thread);
  rt().order.end(*context->task);
  memory::destroy(context);
}

}  // namespace

void no_task_left(ThreadState& thread) {
  if (HEDDLE_LIKELY(!t_visit.now)) return;
  RuntimeScope scope(thread);
  t_visit.now = false;
  TaskContext* waits = std::exchange(thread.context, nullptr);
  if (!waits) return;
  Frame* first = thread.frames + t_visit.depth;
  CalledBack back{nullptr, static_cast<usize>(thread.top - first),
                  static_cast<u32>(t_visit.depth) - t_visit.shift};
  back.frames = make_frames(back.count);
  __builtin_memcpy(static_cast<void*>(back.frames), first, back.count * sizeof(Frame));
  thread.top = first;
  for (TaskContext* context = waits; context; context = context->outer) context->stack_base -= t_visit.shift;
  SpinGuard guard(g_called_back->lock);
  g_called_back->map[address_of(waits)] = back;
  g_called_back->count.fetch_add(1, std::memory_order_release);
}

void waited(ThreadState& thread, TaskContext* context) {
  if (HEDDLE_LIKELY(g_called_back->count.load(std::memory_order_acquire) == 0)) return;
  CalledBack back;
  {
    SpinGuard guard(g_called_back->lock);
    CalledBack* found = g_called_back->map.find(address_of(context));
    if (!found) return;
    back = *found;
    g_called_back->map.erase(address_of(context));
    g_called_back->count.fetch_sub(1, std::memory_order_relaxed);
  }
  __builtin_memcpy(static_cast<void*>(thread.frames + back.base), back.frames, back.count * sizeof(Frame));
  free_frames(back.frames, back.count);
  context->task->thread.store(thread.number, std::memory_order_relaxed);
}

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
