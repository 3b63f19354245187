// finish: a group that joins descendants, and the exceptions of its tasks.
#include "frontend/async/async.hpp"

namespace heddle::async {
namespace {

bool all_ended(const FinishScope& finish) { return finish.unfinished == 0; }

}  // namespace
}  // namespace heddle::async

using namespace heddle;

HEDDLE_ASYNC_API void* __heddle_async_begin_finish() {
  if (control::active()) control::prepare();
  auto* finish = memory::make<async::FinishScope>();
  if (ThreadState* thread = async::participant()) {
    RuntimeScope scope(*thread);
    finish->owner = thread->context->task;
    rt().order.open_group(*finish->owner);
  }
  return finish;
}

HEDDLE_ASYNC_API void __heddle_async_end_finish(void* data) {
  auto* finish = static_cast<async::FinishScope*>(data);
  ThreadState* thread = async::participant();
  if (control::active())
    async::wait_until(async::all_ended, *finish, "waits at the end of a finish", HEDDLE_CALLER);
  if (!thread || thread->context->task != finish->owner) return;
  RuntimeScope scope(*thread);
  rt().order.close_group(*finish->owner);
}

HEDDLE_ASYNC_API void __heddle_async_free_finish(void* data) {
  memory::destroy(static_cast<async::FinishScope*>(data));
}

HEDDLE_ASYNC_API void __heddle_async_fail(void* data, void* exception) {
  auto* finish = static_cast<async::FinishScope*>(data);
  SpinGuard guard(finish->lock);
  finish->failures.push_back(exception);
}

// Called by the owner, after the end.
HEDDLE_ASYNC_API void* __heddle_async_next_failure(void* data) {
  auto* finish = static_cast<async::FinishScope*>(data);
  return finish->taken < finish->failures.size() ? finish->failures[finish->taken++] : nullptr;
}
