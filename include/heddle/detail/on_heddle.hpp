// heddle/async.hpp on Heddle's runtime: what the header needs of it, as C functions of libheddle.a
// (src/frontend/async).
//
// The header is instrumented like the program around it, so whatever is shared between tasks here lies on the other
// side of these functions: counts of references, lists of exceptions. Nothing of that orders the program's tasks, and
// nothing of it is a race.
#pragma once

#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

#include "heddle/detail/task.hpp"

extern "C" {
void* __heddle_async_begin_finish(void);
// Waits for its tasks. What they failed with can be taken from it until it is freed.
void __heddle_async_end_finish(void* finish);
void __heddle_async_free_finish(void* finish);
void __heddle_async_fail(void* finish, void* exception);
void* __heddle_async_next_failure(void* finish);  // null: no more

void __heddle_async_spawn(void* finish, int kind, void (*run)(void*), void* data);
// A task with a completion, which has two references: the caller's, and the task's own. Dropping the last one
// drops the data. `quiet`: to drop it runs no code of the program.
void* __heddle_async_spawn_named(void* finish, int kind, void (*run)(void*), void* data, void (*drop)(void*),
                                 int quiet);
void __heddle_async_wait_for_all(void* const* completions, size_t count);
size_t __heddle_async_wait_for_one(void* const* completions, size_t count);
void __heddle_async_retain(void* completion);
void __heddle_async_release(void* completion);

// Objects ascend and differ; none: the section excludes all others.
void __heddle_async_enter_isolated(const void* const* objects, size_t count);
void __heddle_async_leave_isolated(const void* const* objects, size_t count);
}

namespace heddle {
inline namespace checked {
namespace detail {

using Kind = TaskKind;

// A task runs on one thread from its beginning to its end.
// By its name wherever it is used: so it is known to be the thread's own.
inline constinit thread_local void* current_word = nullptr;
inline void* current() { return current_word; }
inline void set_current(void* task) { current_word = task; }

class Completion {
 public:
  void retain() { __heddle_async_retain(this); }
  void release() { __heddle_async_release(this); }
};

class Finish {
 public:
  Finish() : scope_(__heddle_async_begin_finish()) {}
  ~Finish() { __heddle_async_free_finish(scope_); }
  Finish(const Finish&) = delete;
  Finish& operator=(const Finish&) = delete;

  // `body` does not throw.
  template <class Body>
  void run(Body body) {
    body();
    __heddle_async_end_finish(scope_);
  }
  void spawn(Kind kind, void (*body)(void*), void* data) {
    __heddle_async_spawn(scope_, static_cast<int>(kind), body, data);
  }
  void fail(std::exception_ptr exception) {
    __heddle_async_fail(scope_, new std::exception_ptr(std::move(exception)));
  }
  std::vector<std::exception_ptr> failures() {
    std::vector<std::exception_ptr> all;
    while (void* one = __heddle_async_next_failure(scope_)) {
      auto* exception = static_cast<std::exception_ptr*>(one);
      all.push_back(std::move(*exception));
      delete exception;
    }
    return all;
  }
  void* scope() const { return scope_; }

 private:
  void* scope_;
};

// `finish` may be null: then only the completion signals the task's end.
inline Completion* spawn_named(Finish* finish, Kind kind, void (*run)(void*), void* data, TaskDrop drop) {
  return static_cast<Completion*>(__heddle_async_spawn_named(
      finish ? finish->scope() : nullptr, static_cast<int>(kind), run, data, drop.run, drop.quiet));
}
inline void wait_for_all(Completion* const* completions, std::size_t count) {
  __heddle_async_wait_for_all(reinterpret_cast<void* const*>(completions), count);
}
inline std::size_t wait_for_one(Completion* const* completions, std::size_t count) {
  return __heddle_async_wait_for_one(reinterpret_cast<void* const*>(completions), count);
}
inline void enter_isolated(const void* const* objects, std::size_t count) {
  __heddle_async_enter_isolated(objects, count);
}
inline void leave_isolated(const void* const* objects, std::size_t count) {
  __heddle_async_leave_isolated(objects, count);
}

}  // namespace detail
}  // namespace checked
}  // namespace heddle
