// The thread's number. Programs index memory by it: what is reached so is the thread's own, whichever of its tasks
// and chunks does. The plugins for the compilers see which accesses that are (src/frontend/compiler). A number that
// goes elsewhere may turn up in any address.
#include "frontend/openmp/entry_point.hpp"
#include "frontend/openmp/omp_task.hpp"

HEDDLE_ENTRY int omp_get_thread_num() {
  using namespace heddle;
  HEDDLE_FIND_REAL(omp_get_thread_num);
  if (ThreadState* thread = self()) claim(*thread, race::kAsked);
  return real ? real() : 0;
}

// The same, as GCC's plugin calls it where it is the program that asks.
HEDDLE_ENTRY int __heddle_asks_thread_number() { return omp_get_thread_num(); }

// Of a number that is used for nothing but addresses that are told of as such; or that the compiler asks for, to
// share out a loop.
HEDDLE_ENTRY int __heddle_thread_number() {
  HEDDLE_FIND_REAL(omp_get_thread_num);
  return real ? real() : 0;
}
