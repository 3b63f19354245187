// Asking for the thread number binds the strand to its thread: programs then use memory of their own, indexed by it.
#include <dlfcn.h>

#include "frontend/openmp/omp_task.hpp"

extern "C" __attribute__((visibility("default"))) int omp_get_thread_num() {
  using namespace heddle;
  static auto real = reinterpret_cast<int (*)()>(dlsym(RTLD_NEXT, "omp_get_thread_num"));
  if (ThreadState* thread = self(); thread && thread->active && !thread->context->bound) {
    RuntimeScope scope(*thread);
    thread->context->bound = true;
  }
  return real ? real() : 0;
}
