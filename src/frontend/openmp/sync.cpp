// Waits of tasks: barriers, taskwait, taskgroup; and reductions, which are combined around a barrier.
#include "frontend/openmp/omp_task.hpp"

namespace heddle::openmp {
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
  implicit->task = next;
  implicit->waiting = false;
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

void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel,
                    ompt_data_t*, const void*) {
  ThreadState* thread = self();
  if (!thread || !thread->context) return;
  RuntimeScope scope(*thread);
  bool begin = endpoint == ompt_scope_begin;
  order::Task* task = running(*thread) ? thread->context->task : nullptr;
  switch (kind) {
    case ompt_sync_region_taskwait:
      if (!begin && task) rt().order.wait_children(*task);
      break;
    case ompt_sync_region_taskgroup:
      // on_sync_region_wait handles its end, before task reductions are combined.
      if (begin && task) rt().order.open_group(*task);
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
  rt().order.close_group(*thread->context->task);
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
