// critical, and atomic operations that the hardware cannot do.
#include "control/openmp/core.hpp"
#include "control/openmp/tool.hpp"

namespace heddle::gomp {
namespace {

int g_unnamed, g_atomic;  // their addresses are the locks

void enter(ompt_mutex_t kind, const void* lock, const void* pc) {
  self();
  auto id = reinterpret_cast<uptr>(lock);
  tool().mutex_acquire(kind, 0, 0, id, pc);
  if (controlled()) core().acquire(id, true, control::kNoDeadline, reinterpret_cast<uptr>(pc));
  tool().mutex_acquired(kind, id, pc);
}

void leave(ompt_mutex_t kind, const void* lock, const void* pc) {
  auto id = reinterpret_cast<uptr>(lock);
  tool().mutex_released(kind, id, pc);
  if (controlled()) core().release(id);
  cut();
}

}  // namespace
}  // namespace heddle::gomp

using namespace heddle::gomp;

HEDDLE_GOMP_ENTRY void GOMP_critical_start() { enter(ompt_mutex_critical, &g_unnamed, HEDDLE_GOMP_PC); }
HEDDLE_GOMP_ENTRY void GOMP_critical_end() { leave(ompt_mutex_critical, &g_unnamed, HEDDLE_GOMP_PC); }
// The program has a variable for each name.
HEDDLE_GOMP_ENTRY void GOMP_critical_name_start(void** variable) {
  enter(ompt_mutex_critical, variable, HEDDLE_GOMP_PC);
}
HEDDLE_GOMP_ENTRY void GOMP_critical_name_end(void** variable) {
  leave(ompt_mutex_critical, variable, HEDDLE_GOMP_PC);
}
HEDDLE_GOMP_ENTRY void GOMP_atomic_start() { enter(ompt_mutex_atomic, &g_atomic, HEDDLE_GOMP_PC); }
HEDDLE_GOMP_ENTRY void GOMP_atomic_end() { leave(ompt_mutex_atomic, &g_atomic, HEDDLE_GOMP_PC); }
