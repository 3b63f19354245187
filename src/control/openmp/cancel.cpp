// cancel and cancellation point.
#include "control/openmp/core.hpp"
#include "control/openmp/tool.hpp"
#include "control/openmp/worksharing.hpp"

namespace heddle::gomp {
namespace {

// GCC's numbers.
enum Construct : int { kParallel = 1, kLoop = 2, kSections = 4, kTaskgroup = 8 };

bool is_cancelled(const Thread& thread, int what) {
  const Member& member = *thread.member;
  if (what & (kLoop | kSections)) return (member.share && member.share->cancelled) || member.team->cancelled;
  const Group* group = thread.task->group;
  if ((what & kTaskgroup) && group && group->cancels && group->cancels->cancelled) return true;
  return member.team->cancelled;
}

int tool_flags(int what, int how) {
  int flags = what & kParallel   ? ompt_cancel_parallel
              : what & kLoop     ? ompt_cancel_loop
              : what & kSections ? ompt_cancel_sections
                                 : ompt_cancel_taskgroup;
  return flags | how;
}

}  // namespace
}  // namespace heddle::gomp

using namespace heddle::gomp;

HEDDLE_GOMP_ENTRY bool GOMP_cancellation_point(int what) {
  Thread& thread = self();
  if (!globals().cancellation) return false;
  choose_to(thread.member->team, "checks for cancellation");
  bool cancelled = heddle::gomp::is_cancelled(thread, what);
  if (cancelled) tool().cancel(&thread.task->tool, tool_flags(what, ompt_cancel_detected), HEDDLE_GOMP_PC);
  return cancelled;
}

HEDDLE_GOMP_ENTRY bool GOMP_cancel(int what, bool does) {
  Thread& thread = self();
  if (!globals().cancellation) return false;
  if (!does) return GOMP_cancellation_point(what);
  choose_to(thread.member->team, "cancels");
  Member& member = *thread.member;
  if (what & (kLoop | kSections)) {
    if (member.share) member.share->cancelled = true;
  } else if (what & kTaskgroup) {
    Group* group = thread.task->group;
    if (group && group->cancels) group->cancels->cancelled = true;
  } else {
    member.team->cancelled = true;
  }
  tool().cancel(&thread.task->tool, tool_flags(what, ompt_cancel_activated), HEDDLE_GOMP_PC);
  return true;
}
