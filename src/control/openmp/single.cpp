// single: the first member to arrive runs the body. With copyprivate, it passes a pointer to the others between two
// barriers.
#include "control/openmp/barrier.hpp"
#include "control/openmp/core.hpp"
#include "control/openmp/worksharing.hpp"

namespace heddle::gomp {
namespace {

bool takes_single(Thread& thread, const void* pc) {
  Workshare& share = enter_share(thread);
  thread.member->share = &share;
  choose_to(name_of(*thread.member->team, share), "arrives at a single construct");
  bool first = !std::exchange(share.single_taken, true);
  leave_share(thread);
  // GCC does not mark the end of the body; libomp does not guess it, either.
  if (first) {
    tool_work(ompt_work_single_executor, ompt_scope_begin, thread, 1, pc);
  } else {
    tool_work(ompt_work_single_other, ompt_scope_begin, thread, 1, pc);
    tool_work(ompt_work_single_other, ompt_scope_end, thread, 1, pc);
  }
  cut();
  return first;
}

}  // namespace
}  // namespace heddle::gomp

using namespace heddle::gomp;

HEDDLE_GOMP_ENTRY bool GOMP_single_start() { return takes_single(self(), HEDDLE_GOMP_PC); }

HEDDLE_GOMP_ENTRY void* GOMP_single_copy_start() {
  Thread& thread = self();
  if (takes_single(thread, HEDDLE_GOMP_PC)) return nullptr;
  pass_barrier(thread, ompt_sync_region_barrier_implicit, false, HEDDLE_GOMP_PC);
  void* data = thread.member->team->copyprivate;
  // The member that provides the pointer must not continue before all others have read it.
  pass_barrier(thread, ompt_sync_region_barrier_implicit, false, HEDDLE_GOMP_PC);
  return data;
}
HEDDLE_GOMP_ENTRY void GOMP_single_copy_end(void* data) {
  Thread& thread = self();
  thread.member->team->copyprivate = data;
  pass_barrier(thread, ompt_sync_region_barrier_implicit, false, HEDDLE_GOMP_PC);
  pass_barrier(thread, ompt_sync_region_barrier_implicit, false, HEDDLE_GOMP_PC);
}
