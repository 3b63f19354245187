#include "control/openmp/barrier.hpp"

#include "control/openmp/core.hpp"
#include "control/openmp/tasks.hpp"

namespace heddle::gomp {
namespace {

struct Barrier {
  Team* team;
  u64 phase;
  bool cancellable;
};

bool is_over(const Wait& wait) {
  auto& barrier = *static_cast<const Barrier*>(wait.subject);
  const Team& team = *barrier.team;
  return team.phase != barrier.phase || (barrier.cancellable && team.cancelled) ||
         (team.arrived == team.size && team.unfinished_tasks == 0);
}

}  // namespace

bool pass_barrier(Thread& thread, ompt_sync_region_t kind, bool cancellable, const void* pc) {
  Team* team = thread.member->team;
  if (cancellable) choose_to(team, "checks for cancellation");
  if (cancellable && team->cancelled) return true;
  tool_sync(kind, ompt_scope_begin, thread, pc);
  tool_wait(kind, ompt_scope_begin, thread, pc);
  Barrier barrier{team, team->phase, cancellable};
  ++team->arrived;
  Wait wait{.is_over = is_over, .subject = &barrier, .queue = &team->ready, .link = Link::kTeam};
  work_until_over(thread, wait, "waits at a barrier");
  bool cancelled = false;
  if (team->phase == barrier.phase) {
    if (team->arrived == team->size && team->unfinished_tasks == 0) {
      ++team->phase;
      team->arrived = 0;
    } else {  // left before all others arrived
      --team->arrived;
      cancelled = true;
    }
  }
  // A cancelled barrier orders nothing: for the tool, the region has ended.
  tool_wait(kind, ompt_scope_end, thread, pc, cancelled);
  tool_sync(kind, ompt_scope_end, thread, pc, cancelled);
  cut();
  return cancelled || (cancellable && team->cancelled);
}

}  // namespace heddle::gomp

using namespace heddle::gomp;

HEDDLE_GOMP_ENTRY void GOMP_barrier() {
  pass_barrier(self(), ompt_sync_region_barrier_explicit, false, HEDDLE_GOMP_PC);
}
HEDDLE_GOMP_ENTRY bool GOMP_barrier_cancel() {
  return pass_barrier(self(), ompt_sync_region_barrier_explicit, globals().cancellation, HEDDLE_GOMP_PC);
}
