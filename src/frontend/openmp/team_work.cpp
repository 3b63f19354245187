// Worksharing that any thread of the team may get: chunks of dynamic loops, sections, the body of a single. Each
// becomes a task of the team, so that the verdict does not depend on the thread. Static loops stay in the implicit
// task: OpenMP defines which thread runs which iteration, and programs rely on it.
#include "frontend/openmp/entry_point.hpp"
#include "frontend/openmp/omp_task.hpp"

namespace heddle::openmp {

namespace {
// For libomp, GCC's sections are a dynamic loop over their numbers, without a location: the caller of the entry
// point.
__thread uptr t_sections __attribute__((tls_model("initial-exec"))) = 0;
__thread bool t_parallel_sections __attribute__((tls_model("initial-exec"))) = false;
}  // namespace

bool begins_sections() { return std::exchange(t_parallel_sections, false); }

void begin_team_work(ThreadState& thread, OmpTask& implicit, TaskKind kind, StackId site) {
  auto* work = memory::make<OmpTask>();
  work->frontend = work;
  work->team = implicit.team;
  work->team_work = true;
  work->claims = implicit.claims;
  if (implicit.team->turns.name) take_turns(thread, *work, implicit.team->turns);
  work->task = rt().order.team_work(*implicit.team->team);
  describe(*work->task, kind, site ? site : implicit.team->created_at);
  // It runs in the frames of the implicit task: nothing on the stack is new, and the call stack continues.
  work->outer = thread.context;
  work->stack_base = thread.context->stack_base;
  work->own_below = implicit.own_below;
  work->task->thread.store(thread.number, std::memory_order_relaxed);
  thread.context = work;
}

void end_team_work(ThreadState& thread) {
  auto* work = static_cast<OmpTask*>(thread.context);
  order::Scope* left = work->task->live->children;
  if (left && !left->closed.load(std::memory_order_relaxed)) {
    if (OmpTask* implicit = implicit_of(thread)) implicit->left.push_back(left);
  } else {
    left = nullptr;
  }
  leave_marks(thread, *work->task);
  rt().order.end(*work->task);
  if (!left) rt().order.let_go(*work->task);
  thread.context = work->outer;
  thread.context->claims |= work->claims;  // the thread number may be in a private variable
  memory::destroy(work);
}

namespace {

bool is_team_work(TaskContext* context) {
  return context && context->frontend && static_cast<OmpTask*>(context)->team_work;
}

// Any thread of the team may get this kind of work.
bool shared_out(ompt_work_t type) {
  return type == ompt_work_single_executor || type == ompt_work_sections || type == ompt_work_loop_dynamic ||
         type == ompt_work_loop_guided || type == ompt_work_loop_other;
}

// Before the pending accesses are checked: the work ends with them, and so does its step.
void expect_end(ThreadState& thread) {
  const OmpTask* implicit = implicit_of(thread);
  if (implicit && !implicit->waiting && is_team_work(thread.context))
    thread.step_ends = thread.sets.dirty_count != 0;
}

// The location of the construct, if OMPT has it.
StackId site_of(ThreadState& thread, const void* pc) {
  return pc ? current_stack(thread, reinterpret_cast<uptr>(pc)) : 0;
}

void on_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*, uint64_t,
             const void* pc) {
  ThreadState* thread = self();
  if (!thread) return;
  const bool begin = endpoint == ompt_scope_begin;
  if (!begin && shared_out(type)) expect_end(*thread);
  RuntimeScope scope(*thread);
  OmpTask* implicit = implicit_of(*thread);
  if (!implicit || implicit->waiting) return;
  switch (type) {
    case ompt_work_single_executor:
      if (begin)
        begin_team_work(*thread, *implicit, TaskKind::kSingle, site_of(*thread, pc));
      else if (is_team_work(thread->context))
        end_team_work(*thread);
      break;
    case ompt_work_loop_dynamic:
    case ompt_work_loop_guided:
    case ompt_work_loop_other:
    case ompt_work_sections:
      if (!begin && is_team_work(thread->context)) end_team_work(*thread);
      implicit->in_dynamic_loop = begin;
      implicit->in_sections = begin && (t_sections || type == ompt_work_sections ||
                                        (implicit->team->sections && implicit->loops == 0));
      if (t_sections) pc = reinterpret_cast<const void*>(t_sections);
      implicit->work_site = begin ? site_of(*thread, pc) : 0;
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

void on_dispatch(ompt_data_t*, ompt_data_t*, ompt_dispatch_t, ompt_data_t) {
  ThreadState* thread = self();
  if (!thread) return;
  if (const OmpTask* around = implicit_of(*thread); around && around->in_dynamic_loop) expect_end(*thread);
  RuntimeScope scope(*thread);
  OmpTask* implicit = implicit_of(*thread);
  if (!implicit || implicit->waiting || !implicit->in_dynamic_loop) return;
  if (is_team_work(thread->context)) end_team_work(*thread);
  begin_team_work(*thread, *implicit, implicit->in_sections ? TaskKind::kSection : TaskKind::kLoopChunk,
                  implicit->work_site);
}

}  // namespace

void register_team_work(ompt_set_callback_t set) {
  set(ompt_callback_work, reinterpret_cast<ompt_callback_t>(on_work));
  set(ompt_callback_dispatch, reinterpret_cast<ompt_callback_t>(on_dispatch));
}

}  // namespace heddle::openmp

using namespace heddle;

// From the plugin for GCC, whose runtime library is not told of it.
extern "C" __attribute__((visibility("default"))) void __heddle_single_ends() {
  openmp::on_work(ompt_work_single_executor, ompt_scope_end, nullptr, nullptr, 0, nullptr);
}
HEDDLE_ENTRY unsigned GOMP_sections_start(unsigned count) {
  HEDDLE_FIND_REAL(GOMP_sections_start);
  openmp::t_sections = reinterpret_cast<uptr>(__builtin_return_address(0));
  unsigned first = real(count);
  openmp::t_sections = 0;
  return first;
}
HEDDLE_ENTRY unsigned GOMP_sections2_start(unsigned count, uptr* reductions, void** memory) {
  HEDDLE_FIND_REAL(GOMP_sections2_start);
  openmp::t_sections = reinterpret_cast<uptr>(__builtin_return_address(0));
  unsigned first = real(count, reductions, memory);
  openmp::t_sections = 0;
  return first;
}
HEDDLE_ENTRY void GOMP_parallel_sections(void (*body)(void*), void* data, unsigned threads, unsigned count,
                                         unsigned flags) {
  HEDDLE_FIND_REAL(GOMP_parallel_sections);
  openmp::t_parallel_sections = true;
  real(body, data, threads, count, flags);
}
