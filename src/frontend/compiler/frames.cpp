// Function entry and exit: the call stack of the thread, so that both stacks of a race are always known. A frame gets
// its number only at an access (current_stack), so a call without new accesses costs four stores.
#include <cstring>
#include <utility>

#include "frontend/compiler/hooks.hpp"
#include "runtime/annotated/steps.hpp"
#include "runtime/state/thread_list.hpp"

using namespace heddle;

namespace {

HEDDLE_NOINLINE void grow(ThreadState& thread) {
  bool was_active = std::exchange(thread.active, false);
  usize count = static_cast<usize>(thread.frames_end - thread.frames);
  Frame* frames = make_frames(2 * count);
  memcpy(static_cast<void*>(frames), thread.frames, count * sizeof(Frame));
  thread_list::replace_frames(thread, frames, 2 * count);
  thread.active = was_active;
}

HEDDLE_NOINLINE void look_closer(ThreadState& thread, uptr pc) {
  if (thread.top == thread.frames_end) grow(thread);
  if (g_looks_at_calls) annotated::enter_function(thread, pc);
}

}  // namespace

HEDDLE_HOOK void __tsan_func_entry(void* pc) {
  ThreadState* thread = t_self;
  if (HEDDLE_UNLIKELY(!thread)) return;
  if (HEDDLE_UNLIKELY(thread->top >= thread->frames_limit)) look_closer(*thread, HEDDLE_CALLER);
  *thread->top++ = {reinterpret_cast<uptr>(pc), reinterpret_cast<uptr>(__builtin_frame_address(0))};
}

HEDDLE_HOOK void __tsan_func_exit() {
  ThreadState* thread = t_self;
  if (HEDDLE_LIKELY(thread && thread->top > thread->frames)) --thread->top;
}

// Code between the two is not the program's (attribute no_sanitize, runtime internals).
HEDDLE_HOOK void __tsan_ignore_thread_begin() {
  if (ThreadState* thread = self()) {
    flush_pending(*thread);
    ++thread->ignore;
    refresh(*thread);
  }
}
HEDDLE_HOOK void __tsan_ignore_thread_end() {
  if (ThreadState* thread = self()) {
    flush_pending(*thread);
    --thread->ignore;
    refresh(*thread);
  }
}

// Every instrumented object calls this from a constructor; ours runs before the constructors of C++ objects. An
// object built with our plugin for clang calls the second function as well, and with that for GCC the third instead:
// without a plugin, accesses to thread-local data by name are not identified.
namespace {
int g_plugins_missing = 0;
void note_plugin(int missing) {
  init();
  rt().names_are_known = (g_plugins_missing += missing) <= 0;
}
}  // namespace
HEDDLE_HOOK void __tsan_init() { note_plugin(1); }
HEDDLE_HOOK void __heddle_has_plugin() { note_plugin(-1); }
HEDDLE_HOOK void __heddle_init_with_plugin() { init(); }
__attribute__((constructor(101))) static void start_early() { init(); }
