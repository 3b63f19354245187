// Memory that the verification runtime's OpenMP library (src/control/openmp) hands to the program. libomp's is found by OMPT and by
// wrapped entry points; this one says it itself.
#include "frontend/openmp/entry_point.hpp"
#include "frontend/openmp/omp_task.hpp"

HEDDLE_ENTRY void __heddle_fresh_memory(heddle::uptr address, heddle::usize size) {
  using namespace heddle;
  if (ThreadState* thread = self()) {
    RuntimeScope scope(*thread);
    new_memory(address, size);
  }
}
HEDDLE_ENTRY void __heddle_bind_memory(heddle::uptr address, heddle::usize size) {
  using namespace heddle;
  if (ThreadState* thread = self()) {
    RuntimeScope scope(*thread);
    bind_to_thread(address, size);
  }
}
