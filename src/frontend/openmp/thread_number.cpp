// Asking for the thread number binds the strand to its thread: programs then use memory of their own, indexed by it.
#include "frontend/openmp/entry_point.hpp"
#include "frontend/openmp/omp_task.hpp"

HEDDLE_ENTRY int omp_get_thread_num() {
  using namespace heddle;
  HEDDLE_REAL(omp_get_thread_num);
  if (ThreadState* thread = self(); thread && thread->active && !thread->context->bound) {
    RuntimeScope scope(*thread);
    bind_task(*thread);
  }
  return real ? real() : 0;
}
