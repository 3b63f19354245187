// flush: a fence in both directions. GCC emits a fence of its own for it; clang calls the runtime.
#include "frontend/openmp/entry_point.hpp"
#include "frontend/openmp/omp_task.hpp"

HEDDLE_ENTRY void __kmpc_flush(void* location) {
  using namespace heddle;
  HEDDLE_FIND_REAL(__kmpc_flush);
  if (real) real(location);
  if (ThreadState* thread = self(); thread && thread->active) {
    RuntimeScope scope(*thread);
    fence(*thread, true, true);
  }
}
