// Events of the verification runtime's OpenMP library (src/control/openmp) that OMPT lacks.
#include "frontend/openmp/entry_point.hpp"
#include "frontend/openmp/omp_task.hpp"

using namespace heddle;

// Memory that it gives to the program: earlier accesses do not count.
HEDDLE_ENTRY void __heddle_fresh_memory(uptr address, usize size) {
  if (ThreadState* thread = self()) {
    RuntimeScope scope(*thread);
    new_memory(address, size);
  }
}
// A thread's own copy, whichever task uses it.
HEDDLE_ENTRY void __heddle_bind_memory(uptr address, usize size) {
  if (ThreadState* thread = self()) {
    RuntimeScope scope(*thread);
    bind_to_thread(address, size);
  }
}

// A task that is an actor has its own thread, but runs for the program on the one that created it: it may use that
// thread's own data. Returns the number that the calling thread had; 0 only queries.
HEDDLE_ENTRY u32 __heddle_stand_in(u32 number) {
  ThreadState* thread = self();
  if (!thread) return 0;
  return number ? std::exchange(thread->number, number) : thread->number;
}
