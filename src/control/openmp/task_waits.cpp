// Waits for tasks: taskwait, with and without depend clauses, and the common part of all such waits.
//
// A waiting thread runs only tasks that it has to wait for anyway: the waiting task could not have continued before
// their end. So running them on top of its stack neither loses nor adds schedules.
#include "control/openmp/tasks.hpp"

namespace heddle::gomp {
namespace {

// A task that comes before one of the group, without being of it itself.
Task* needed_by(const Group& group, const Queue& queue) {
  for (Task* task = queue.first; task; task = task->links[static_cast<u32>(Link::kTeam)].next)
    if (could_begin(task) &&
        comes_before(task, [&](const Task* later) { return later->belongs_to == &group; }))
      return task;
  return nullptr;
}

Task* next_task(const Wait& wait) {
  if (!wait.queue) return nullptr;
  if (!wait.target) {
    Task* task = runnable(*wait.queue, wait.link);
    return task || !wait.group ? task : needed_by(*wait.group, wait.team->ready);
  }
  for (Task* task = wait.queue->first; task; task = task->links[static_cast<u32>(wait.link)].next)
    if (comes_before(task, [&](const Task* later) { return later == wait.target; })) return task;
  return nullptr;
}

bool is_enabled(void* data) {
  auto& wait = *static_cast<const Wait*>(data);
  return wait.is_over(wait) || next_task(wait);
}

bool children_are_done(const Wait& wait) {
  return static_cast<const Task*>(wait.subject)->unfinished_children == 0;
}
bool predecessors_are_done(const Wait& wait) {
  return static_cast<const Task*>(wait.subject)->predecessors == 0;
}

}  // namespace

void work_until_over(Thread& thread, const Wait& wait, const char* what) {
  for (;;) {
    wait_until(is_enabled, const_cast<Wait*>(&wait), what);
    if (wait.is_over(wait)) return;
    Task* task = next_task(wait);
    take(task);
    run_task(thread, task);
  }
}

void wait_for_predecessors(Thread& thread, Task* task) {
  Wait wait{.is_over = predecessors_are_done,
            .subject = task,
            .queue = &task->parent->ready_children,
            .link = Link::kParent,
            .target = task};
  work_until_over(thread, wait, "waits for tasks that it depends on");
}

}  // namespace heddle::gomp

using namespace heddle;
using namespace heddle::gomp;

HEDDLE_GOMP_ENTRY void GOMP_taskwait() {
  Thread& thread = self();
  tool_sync(ompt_sync_region_taskwait, ompt_scope_begin, thread, HEDDLE_GOMP_PC);
  tool_wait(ompt_sync_region_taskwait, ompt_scope_begin, thread, HEDDLE_GOMP_PC);
  Task* task = thread.task;
  Wait wait{
      .is_over = children_are_done, .subject = task, .queue = &task->ready_children, .link = Link::kParent};
  give_turn(thread);
  work_until_over(thread, wait, "waits for its child tasks");
  tool_wait(ompt_sync_region_taskwait, ompt_scope_end, thread, HEDDLE_GOMP_PC);
  tool_sync(ompt_sync_region_taskwait, ompt_scope_end, thread, HEDDLE_GOMP_PC);
  take_turn(thread);
}

// An empty task that its creator waits for; only its depend clauses matter.
HEDDLE_GOMP_ENTRY void GOMP_taskwait_depend(void** depend) {
  Thread& thread = self();
  auto* task = memory::make<Task>();
  task->parent = thread.task;
  retain(task->parent);
  task->team = thread.member->team;
  task->undeferred = true;
  Vector<Depend> clauses;
  read_depends(depend, clauses);
  static ompt_frame_t no_frame{};
  tool().task_create(&thread.task->tool, &no_frame, &task->tool,
                     ompt_task_taskwait | ompt_task_undeferred | ompt_task_mergeable, 1, HEDDLE_GOMP_PC);
  tell_depends(task, clauses);
  add_depends(thread.task, task, clauses, false);
  give_turn(thread);
  wait_for_predecessors(thread, task);
  tool().task_schedule(&task->tool, ompt_taskwait_complete, nullptr);
  take_turn(thread);
  release(task);
}

HEDDLE_GOMP_ENTRY void GOMP_taskyield() {
  Thread& thread = self();
  if (!controlled()) return;
  give_turn(thread);
  core().yield("yields to other tasks", reinterpret_cast<uptr>(HEDDLE_GOMP_PC));
  take_turn(thread);
}
