// The thread's number. Programs index memory by it: such memory is the thread's own, in all its tasks and chunks. The
// compiler plugins find these accesses (src/frontend/compiler). A number that escapes may appear in any address.
#include "frontend/openmp/entry_point.hpp"
#include "frontend/openmp/omp_task.hpp"

HEDDLE_ENTRY int omp_get_thread_num() {
  using namespace heddle;
  HEDDLE_FIND_REAL(omp_get_thread_num);
  if (ThreadState* thread = self()) claim(*thread, race::kAsked);
  return real ? real() : 0;
}

// The same, called by GCC's plugin for the program's own calls.
HEDDLE_ENTRY int __heddle_asks_thread_number() { return omp_get_thread_num(); }

// For a number that is used only for addresses that have hooks of their own; or that the compiler uses to divide a
// loop.
HEDDLE_ENTRY int __heddle_thread_number() {
  HEDDLE_FIND_REAL(omp_get_thread_num);
  return real ? real() : 0;
}
