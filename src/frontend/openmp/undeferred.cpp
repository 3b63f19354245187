// if(0): the creator waits for the task. OMPT does not tell this from a team of one, where every task runs at once, so the
// entry points that carry the clause are wrapped: GCC's GOMP_task and GOMP_taskloop, clang's __kmpc_omp_task_begin_if0 and
// __kmpc_taskloop.
#include <dlfcn.h>

#include "frontend/openmp/omp_task.hpp"

namespace {

__thread bool t_if0 __attribute__((tls_model("initial-exec"))) = false;

// While the real entry point creates its task.
class If0Scope {
 public:
  explicit If0Scope(bool if0) : outer_(t_if0) { t_if0 = if0; }
  ~If0Scope() { t_if0 = outer_; }

 private:
  bool outer_;
};

}  // namespace

namespace heddle::openmp {
// Taken once: tasks that the body creates say for themselves.
bool undeferred_by_clause() { return std::exchange(t_if0, false); }
}  // namespace heddle::openmp

#define HEDDLE_ENTRY extern "C" __attribute__((visibility("default")))

HEDDLE_ENTRY void GOMP_task(void (*fn)(void*), void* data, void (*copy)(void*, void*), long size, long align, bool if_clause,
                            unsigned flags, void** depend, int priority, void* detach) {
  static decltype(&GOMP_task) real;
  If0Scope scope(!if_clause);
  if (!real) real = reinterpret_cast<decltype(real)>(dlsym(RTLD_NEXT, "GOMP_task"));
  real(fn, data, copy, size, align, if_clause, flags, depend, priority, detach);
}

namespace {
constexpr unsigned kGompTaskIf = 1u << 10;
}

HEDDLE_ENTRY void GOMP_taskloop(void (*fn)(void*), void* data, void (*copy)(void*, void*), long size, long align, unsigned flags,
                                unsigned long tasks, int priority, long begin, long end, long step) {
  static decltype(&GOMP_taskloop) real;
  If0Scope scope(!(flags & kGompTaskIf));
  if (!real) real = reinterpret_cast<decltype(real)>(dlsym(RTLD_NEXT, "GOMP_taskloop"));
  real(fn, data, copy, size, align, flags, tasks, priority, begin, end, step);
}

HEDDLE_ENTRY void __kmpc_omp_task_begin_if0(void* location, int thread, void* task) {
  static decltype(&__kmpc_omp_task_begin_if0) real;
  If0Scope scope(true);
  if (!real) real = reinterpret_cast<decltype(real)>(dlsym(RTLD_NEXT, "__kmpc_omp_task_begin_if0"));
  real(location, thread, task);
}
