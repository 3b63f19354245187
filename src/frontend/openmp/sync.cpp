// Waits of tasks: barriers, taskwait, taskgroup; and reductions, which are combined around a barrier.
#include "frontend/openmp/omp_task.hpp"

namespace heddle::openmp {

order::SyncObject* make_ends(TeamState& team) {
  auto* ends = memory::make<order::SyncObject>();
  team.ends.push_back(ends);
  return ends;
}

namespace {

// Between arrival and departure the implicit task does nothing of its own (it may run explicit tasks). So functions
// that the runtime calls there, such as those that combine reductions in a tree, are not checked.
void barrier_arrive(ThreadState& thread, bool last) {
  OmpTask* implicit = implicit_of(thread);
  if (!implicit || !implicit->task || implicit->waiting) return;
  while (thread.context != implicit) end_team_work(thread);  // left by cancellation
  if (last)
    rt().order.end(*implicit->task);
  else
    rt().order.arrive(*implicit->team->team, *implicit->task);
  implicit->waiting = true;
  implicit->leaves_region = last;
}

void barrier_leave(ThreadState& thread) {
  OmpTask* implicit = implicit_of(thread);
  if (!implicit || !implicit->waiting || implicit->leaves_region || thread.context != implicit) return;
  order::Task* next = rt().order.pass_barrier(*implicit->team->team, *implicit->task);
  describe(*next, static_cast<TaskKind>(implicit->task->kind), implicit->team->created_at);
  next->thread.store(thread.number, std::memory_order_relaxed);
  rt().order.let_go(*std::exchange(implicit->task, next));
  implicit->waiting = false;
  implicit->left.clear();
  // The thread that completed a reduction did so after leaving the barrier, while the others were held back.
  rt().order.await(*next, implicit->team->reduction);
}

void on_barrier(ThreadState& thread, ompt_sync_region_t kind, const ompt_data_t* parallel, bool begin) {
  bool last = kind == ompt_sync_region_barrier_implicit_parallel || kind == ompt_sync_region_barrier_teams;
  // A thread returns from the last barrier of a region without a region: its team may have gone by then.
  if (begin)
    barrier_arrive(thread, last);
  else if (parallel)
    barrier_leave(thread);
}

// A taskwait also waits for the child tasks that the thread created in another single, section or chunk, and the end of
// a taskgroup for those that were created within it. In another schedule a different thread might have got that piece
// of work, so they are ordered in the full order only. An exploration executes the other schedules, too: there each
// execution has the order that it has.
void wait_for_children(ThreadState& thread, order::Task& task) {
  rt().order.wait_children(task);
  OmpTask* implicit = implicit_of(thread);
  if (!implicit) return;
  if (implicit->ends) rt().order.await(task, *implicit->ends);
  usize groups = 0;
  for (order::Scope* left : implicit->left)
    if (left)
      rt().order.wait_in_full(task, *left);
    else
      ++groups;
  implicit->left.clear();
  for (; groups > 0; --groups) implicit->left.push_back(nullptr);
}

void open_group(ThreadState& thread, order::Task& task) {
  rt().order.open_group(task);
  OmpTask* implicit = implicit_of(thread);
  if (!implicit) return;
  implicit->left.push_back(nullptr);
  if (!rt().explored) return;
  implicit->outer_groups.push_back(implicit->group_ends);
  implicit->group_ends = make_ends(*implicit->team);
}

bool owns_group(const order::Task& task) { return task.live->group && task.live->group->owner == &task; }

void close_group(ThreadState& thread) {
  OmpTask* implicit = implicit_of(thread);
  // Without the plugin, GCC's code does not report the end of a single: the end of a taskgroup around it does.
  while (implicit && thread.context != implicit && !owns_group(*thread.context->task)) end_team_work(thread);
  order::Task& task = *thread.context->task;
  rt().order.close_group(task);
  if (!implicit) return;
  while (!implicit->left.empty()) {
    order::Scope* left = implicit->left.back();
    implicit->left.pop_back();
    if (!left) break;
    rt().order.wait_in_full(task, *left);
  }
  if (implicit->outer_groups.empty()) return;
  rt().order.await(task, *implicit->group_ends);
  implicit->group_ends = implicit->outer_groups.back();
  implicit->outer_groups.pop_back();
}

void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel,
                    ompt_data_t*, const void*) {
  ThreadState* thread = self();
  if (!thread || !thread->context) return;
  RuntimeScope scope(*thread);
  bool begin = endpoint == ompt_scope_begin;
  order::Task* task = running(*thread) ? thread->context->task : nullptr;
  switch (kind) {
    case ompt_sync_region_taskwait:
      if (!begin && task) wait_for_children(*thread, *task);
      break;
    case ompt_sync_region_taskgroup:
      // on_sync_region_wait handles its end, before task reductions are combined.
      if (begin && task) open_group(*thread, *task);
      break;
    case ompt_sync_region_reduction:
      break;
    default:
      on_barrier(*thread, kind, parallel, begin);
  }
}

void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*,
                         const void*) {
  if (kind != ompt_sync_region_taskgroup || endpoint != ompt_scope_end) return;
  ThreadState* thread = self();
  if (!thread || !running(*thread)) return;
  RuntimeScope scope(*thread);
  close_group(*thread);
}

void on_reduction(ompt_sync_region_t, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*,
                  const void*) {
  ThreadState* thread = self();
  if (!thread || endpoint != ompt_scope_end) return;
  RuntimeScope scope(*thread);
  OmpTask* implicit = implicit_of(*thread);
  if (implicit && !implicit->waiting) rt().order.publish(*implicit->task, implicit->team->reduction);
}

}  // namespace

void register_sync(ompt_set_callback_t set) {
  set(ompt_callback_sync_region, reinterpret_cast<ompt_callback_t>(on_sync_region));
  set(ompt_callback_sync_region_wait, reinterpret_cast<ompt_callback_t>(on_sync_region_wait));
  set(ompt_callback_reduction, reinterpret_cast<ompt_callback_t>(on_reduction));
}

}  // namespace heddle::openmp
