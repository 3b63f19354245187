// fork and exec. A forked child has one of its parent's threads. If the parent has no other, the child is analysed as
// a process of its own in the log. Else it is not: it would wait forever for locks of ours that other threads held.
// It loses its thread state, so that every hook forwards its call and acquires no lock.
//
// A program that calls exec has its log closed before. Whether exec will succeed cannot be known, but a missing file,
// the usual reason of a failure, can: so PATH is searched as execvp does, and after a failure only the last line is
// early.
#include <pthread.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdarg>

#include "base/handlers.hpp"
#include "base/system_call.hpp"
#include "base/text.hpp"
#include "control/control.hpp"
#include "frontend/threads/start.hpp"
#include "frontend/threads/threads.hpp"
#include "runtime/log/raw_log.hpp"

namespace heddle::threads {

// A steered or recorded program is one process.
static bool can_go_on(const ThreadState& thread) {
  return only_initial_thread() && !thread.inside && !control::on() && !rt().recording && !pauses::g_on;
}

void start_fork() {
  at_fork(nullptr, nullptr, [] {
    if (!g_runtime || !rt().enabled) return;
    ThreadState* thread = self();
    if (thread && can_go_on(*thread)) {
      thread->os_id = static_cast<int>(system_call(SYS_gettid));
      raw_log::begin_child(*thread);
      return;
    }
    rt().enabled = false;
    t_self = t_all_accesses = nullptr;
    control::stop();
    raw_log::leave_child_out();
  });
}

namespace {

bool is_executable(const char* path) { return system_call(SYS_access, path, X_OK) == 0; }

bool found_on_path(const char* name) {
  for (const char* c = name; *c; ++c)
    if (*c == '/') return is_executable(name);
  const char* path = environment("PATH");
  if (!path) path = "/bin:/usr/bin";
  const usize name_length = length(name);
  for (;;) {
    const char* end = find(path, ':');
    const usize folder = static_cast<usize>(end - path);
    char file[4096];
    if (folder + name_length + 2 <= sizeof file) {
      memcpy(file, path, folder);
      file[folder] = '/';
      memcpy(file + folder + 1, name, name_length + 1);
      if (is_executable(file)) return true;
    }
    if (!*end) return false;
    path = end + 1;
  }
}

// `found`: does such a file exist?
template <class Found>
void replacing(Found found) {
  ThreadState* thread = self();
  if (g_runtime && !rt().enabled) raw_log::child_executes();
  if (!thread || !rt().enabled) return;
  if (thread->active) flush_pending(*thread);
  Undisturbed guard(*thread);
  if (!found()) return;
  control::wait_for_the_rest();
  raw_log::close("exec");
}

// The arguments of execl and its relatives as an array on the caller's stack.
#define HEDDLE_COLLECT(first, array, arguments)                                                          \
  va_list arguments;                                                                                     \
  va_start(arguments, first);                                                                            \
  usize array##_count = 1;                                                                               \
  if (first)                                                                                             \
    while (va_arg(arguments, const char*)) ++array##_count;                                              \
  va_end(arguments);                                                                                     \
  auto** array = static_cast<const char**>(__builtin_alloca((array##_count + 1) * sizeof(const char*))); \
  va_start(arguments, first);                                                                            \
  array[0] = first;                                                                                      \
  for (usize i = 1; i <= array##_count && first; ++i) array[i] = va_arg(arguments, const char*)

char* const* as_arguments(const char** array) { return const_cast<char* const*>(array); }

}  // namespace
}  // namespace heddle::threads

using namespace heddle;
using threads::as_arguments;

// The child of a vfork shares the parent's memory, including ours: it gets a copy instead, which POSIX allows.
HEDDLE_REAL(pid_t, fork);
HEDDLE_DEFINE(pid_t, vfork) { return real_fork(); }

HEDDLE_INTERPOSE(int, execve, const char* path, char* const* arguments, char* const* environment) {
  threads::replacing([=] { return threads::is_executable(path); });
  return real_execve(path, arguments, environment);
}
HEDDLE_INTERPOSE(int, execv, const char* path, char* const* arguments) {
  threads::replacing([=] { return threads::is_executable(path); });
  return real_execv(path, arguments);
}
HEDDLE_INTERPOSE(int, execvp, const char* file, char* const* arguments) {
  threads::replacing([=] { return threads::found_on_path(file); });
  return real_execvp(file, arguments);
}
HEDDLE_INTERPOSE(int, execvpe, const char* file, char* const* arguments, char* const* environment) {
  threads::replacing([=] { return threads::found_on_path(file); });
  return real_execvpe(file, arguments, environment);
}
HEDDLE_INTERPOSE(int, fexecve, int file, char* const* arguments, char* const* environment) {
  threads::replacing([] { return true; });
  return real_fexecve(file, arguments, environment);
}
HEDDLE_DEFINE(int, execl, const char* path, const char* first, ...) {
  HEDDLE_COLLECT(first, array, arguments);
  va_end(arguments);
  threads::replacing([=] { return threads::is_executable(path); });
  return real_execv(path, as_arguments(array));
}
HEDDLE_DEFINE(int, execlp, const char* file, const char* first, ...) {
  HEDDLE_COLLECT(first, array, arguments);
  va_end(arguments);
  threads::replacing([=] { return threads::found_on_path(file); });
  return real_execvp(file, as_arguments(array));
}
HEDDLE_DEFINE(int, execle, const char* path, const char* first, ...) {
  HEDDLE_COLLECT(first, array, arguments);
  char* const* environment = va_arg(arguments, char* const*);
  va_end(arguments);
  threads::replacing([=] { return threads::is_executable(path); });
  return real_execve(path, as_arguments(array), environment);
}
