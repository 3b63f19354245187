// Worksharing that any thread of the team may get: chunks of dynamic loops, sections, the body of a single. Each becomes a task of
// the team, so that the verdict does not depend on who got it. Static loops stay in the implicit task: which thread runs
// which iteration is promised by OpenMP, and programs rely on it.
#include "frontend/openmp/omp_task.hpp"

namespace heddle::openmp {

void begin_team_work(ThreadState& thread, OmpTask& implicit, TaskKind kind) {
  auto* work = memory::make<OmpTask>();
  work->frontend = work;
  work->team = implicit.team;
  work->team_work = true;
  work->bound = implicit.bound;
  work->task = rt().order.team_work(*implicit.team->team);
  describe(*work->task, kind, implicit.team->created_at);
  // It runs in the frames of the implicit task: nothing on the stack is new, and the call stack goes on.
  work->outer = thread.context;
  work->stack_base = thread.context->stack_base;
  work->locks.clear();
  work->task->thread.store(thread.number, std::memory_order_relaxed);
  thread.context = work;
}

void end_team_work(ThreadState& thread) {
  auto* work = static_cast<OmpTask*>(thread.context);
  rt().order.end(*work->task);
  work->outer->bound |= work->bound;
  thread.context = work->outer;
  memory::destroy(work);
}

namespace {

bool is_team_work(TaskContext* context) {
  return context && context->frontend && static_cast<OmpTask*>(context)->team_work;
}

void on_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*, uint64_t, const void*) {
  ThreadState* thread = self();
  if (!thread) return;
  RuntimeScope scope(*thread);
  bool begin = endpoint == ompt_scope_begin;
  OmpTask* implicit = implicit_of(*thread);
  if (!implicit || implicit->waiting) return;
  switch (type) {
    case ompt_work_single_executor:
      if (begin) begin_team_work(*thread, *implicit, TaskKind::kSingle);
      else if (is_team_work(thread->context)) end_team_work(*thread);
      break;
    case ompt_work_loop_dynamic:
    case ompt_work_loop_guided:
    case ompt_work_loop_other:
    case ompt_work_sections:
      if (!begin && is_team_work(thread->context)) end_team_work(*thread);
      implicit->in_dynamic_loop = begin;
      implicit->loops += begin;
      break;
    case ompt_work_loop:
    case ompt_work_loop_static:
      implicit->loops += begin;
      break;
    default:
      break;
  }
}

void on_dispatch(ompt_data_t*, ompt_data_t*, ompt_dispatch_t kind, ompt_data_t) {
  ThreadState* thread = self();
  if (!thread) return;
  RuntimeScope scope(*thread);
  OmpTask* implicit = implicit_of(*thread);
  if (!implicit || implicit->waiting || !implicit->in_dynamic_loop) return;
  if (is_team_work(thread->context)) end_team_work(*thread);
  begin_team_work(*thread, *implicit, kind == ompt_dispatch_section ? TaskKind::kSection : TaskKind::kLoopChunk);
}

}  // namespace

void register_team_work(ompt_set_callback_t set) {
  set(ompt_callback_work, reinterpret_cast<ompt_callback_t>(on_work));
  set(ompt_callback_dispatch, reinterpret_cast<ompt_callback_t>(on_dispatch));
}

}  // namespace heddle::openmp
