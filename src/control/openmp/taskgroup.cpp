// taskgroup: its end waits for the tasks created inside, and for their descendants.
#include "control/openmp/tasks.hpp"

namespace heddle::gomp {
namespace {

bool group_is_done(const Wait& wait) { return static_cast<const Group*>(wait.subject)->unfinished == 0; }

}  // namespace

void open_group(Thread& thread, const void* pc, bool of_workshare) {
  prepare();
  Task* task = thread.task;
  auto* group = memory::make<Group>();
  group->outer = task->group;
  group->cancels = of_workshare && task->group ? task->group->cancels : group;
  group->reductions = task->group ? task->group->reductions : nullptr;
  tool_sync(ompt_sync_region_taskgroup, ompt_scope_begin, thread, pc);
  task->group = group;
}

void close_group(Thread& thread, const void* pc) {
  Group* group = thread.task->group;
  if (!group) return;
  tool_wait(ompt_sync_region_taskgroup, ompt_scope_begin, thread, pc);
  Wait wait{.is_over = group_is_done,
            .subject = group,
            .queue = &group->ready,
            .link = Link::kGroup,
            .group = group,
            .team = thread.member->team};
  give_turn(thread);
  work_until_over(thread, wait, "waits for the tasks of a taskgroup");
  tool_wait(ompt_sync_region_taskgroup, ompt_scope_end, thread, pc);
  thread.task->group = group->outer;
  tool_sync(ompt_sync_region_taskgroup, ompt_scope_end, thread, pc);
  take_turn(thread);
  memory::destroy(group);
}

}  // namespace heddle::gomp

using namespace heddle::gomp;

HEDDLE_GOMP_ENTRY void GOMP_taskgroup_start() { open_group(self(), HEDDLE_GOMP_PC); }
HEDDLE_GOMP_ENTRY void GOMP_taskgroup_end() { close_group(self(), HEDDLE_GOMP_PC); }
