// Tasks that are joined by name: futures and posted tasks. Their end is a signal to the tasks that wait.
#include "base/check.hpp"
#include "base/system_call.hpp"
#include "frontend/async/async.hpp"

namespace heddle::async {
namespace {

struct Several {
  void* const* completions;
  usize count;
};

Completion& at(const Several& several, usize i) { return *static_cast<Completion*>(several.completions[i]); }

bool all_joinable(const Several& several) {
  for (usize i = 0; i < several.count; ++i)
    if (!at(several, i).joinable()) return false;
  return true;
}

// In a normal run a task that this thread created has ended, unless it is below on the stack; another thread's task
// ends some time.
void wait_until_ended(const Completion& completion, const ThreadState* thread) {
  while (!completion.ended.load(std::memory_order_acquire)) {
    if (thread && completion.run_by.load(std::memory_order_relaxed) == thread->number)
      fatal("deadlock: a task waits for itself, or for one that waits for it");
    system_call(SYS_sched_yield);
  }
}

}  // namespace

void acquire_end(ThreadState* thread, Completion& completion) {
  if (!thread) return;
  RuntimeScope scope(*thread);
  rt().order.await(*thread->context->task, completion.end);
  rt().order.await(*thread->context->task, completion.answers);
}

void complete(ThreadState* thread, Completion& completion) {
  if (thread) {
    RuntimeScope scope(*thread);
    rt().order.publish(*thread->context->task, completion.end);
  }
  completion.ended.store(true, std::memory_order_release);
}

// The drop of the last reference destroys the task's result. If that runs code of the program, it matters which drop
// is the last: a choice like that of any atomic operation. If not, the order is not visible, so it is no choice and
// orders nothing.
void release(Completion& completion, uptr caller) {
  ThreadState* thread = participant();
  const bool matters = thread && !completion.quiet;
  if (matters) {
    if (control::active())
      control::choose({.op = control::Op::kAtomic,
                       .object = address_of(completion.data),
                       .what = "drops the result of a task",
                       .pc = caller});
    RuntimeScope scope(*thread);
    rt().order.publish(*thread->context->task, completion.drops);
  }
  if (completion.references.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  if (matters) {
    {
      RuntimeScope scope(*thread);
      rt().order.await(*thread->context->task, completion.drops);
    }
    completion.drop(completion.data);
  } else if (thread) {
    Undisturbed guard(*thread);
    completion.drop(completion.data);
  } else {
    completion.drop(completion.data);
  }
  memory::destroy(&completion);
}

}  // namespace heddle::async

using namespace heddle;

HEDDLE_ASYNC_API void __heddle_async_wait_for_all(void* const* completions, usize count) {
  ThreadState* thread = async::participant();
  const async::Several several{completions, count};
  if (control::active())
    async::wait_until(async::all_joinable, several, "waits for a future or a region", HEDDLE_CALLER);
  for (usize i = 0; i < count; ++i) {
    async::wait_until_ended(async::at(several, i), thread);
    async::acquire_end(thread, async::at(several, i));
  }
}

// In a normal run the order that it makes holds for this run only.
HEDDLE_ASYNC_API usize __heddle_async_wait_for_one(void* const* completions, usize count) {
  ThreadState* thread = async::participant();
  if (control::active() && thread) return async::choose_one(*thread, completions, count, HEDDLE_CALLER);
  const async::Several several{completions, count};
  for (;; system_call(SYS_sched_yield)) {
    for (usize i = 0; i < count; ++i) {
      if (!async::at(several, i).joinable()) continue;
      async::acquire_end(thread, async::at(several, i));
      return i;
    }
  }
}

HEDDLE_ASYNC_API void __heddle_async_retain(void* data) {
  static_cast<async::Completion*>(data)->references.fetch_add(1, std::memory_order_relaxed);
}

HEDDLE_ASYNC_API void __heddle_async_release(void* data) {
  async::release(*static_cast<async::Completion*>(data), HEDDLE_CALLER);
}
