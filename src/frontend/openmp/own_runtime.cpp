// What the verification runtime's OpenMP library (src/control/openmp) says beyond OMPT, which has no words for it.
#include "frontend/openmp/entry_point.hpp"
#include "frontend/openmp/omp_task.hpp"

using namespace heddle;

// Memory that it hands to the program: what happened there before does not matter.
HEDDLE_ENTRY void __heddle_fresh_memory(uptr address, usize size) {
  if (ThreadState* thread = self()) {
    RuntimeScope scope(*thread);
    new_memory(address, size);
  }
}
// A thread's copy of something: whichever task uses it.
HEDDLE_ENTRY void __heddle_bind_memory(uptr address, usize size) {
  if (ThreadState* thread = self()) {
    RuntimeScope scope(*thread);
    bind_to_thread(address, size);
  }
}

// A task that is an actor has a thread of its own, but to the program runs on the one that made it: data that is
// bound to that thread is its to use. Returns the number that the calling thread had; 0 only asks.
HEDDLE_ENTRY u32 __heddle_stand_in(u32 number) {
  ThreadState* thread = self();
  if (!thread) return 0;
  return number ? std::exchange(thread->number, number) : thread->number;
}
