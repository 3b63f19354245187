// flush: a fence in both directions. GCC emits a fence of its own for it; clang calls the runtime.
#include <dlfcn.h>

#include "frontend/openmp/omp_task.hpp"

extern "C" __attribute__((visibility("default"))) void __kmpc_flush(void* location) {
  using namespace heddle;
  static auto real = reinterpret_cast<void (*)(void*)>(dlsym(RTLD_NEXT, "__kmpc_flush"));
  if (real) real(location);
  if (ThreadState* thread = self(); thread && thread->active) {
    RuntimeScope scope(*thread);
    fence(*thread, true, true);
  }
}
