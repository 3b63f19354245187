// Parallel regions: the encountering task forks a team; the part of each thread between two barriers is a task
// (order::Team).
#include "frontend/openmp/entry_point.hpp"
#include "frontend/openmp/omp_task.hpp"

namespace heddle::openmp {
namespace {

// The regions that this thread has forked and not joined, innermost last; null for one that does not count.
// Serialised regions share OMPT's storage, so that does not identify them on the forking thread.
__thread Vector<TeamState*>* t_forked __attribute__((tls_model("initial-exec"))) = nullptr;

// clang's `parallel if(false)` calls the body itself, after libomp was notified, and libomp then names no frame.
__thread uptr t_serialised_in __attribute__((tls_model("initial-exec"))) = 0;

// The boundary between the frames of the encountering function, whose variables are shared, and those of the outlined
// body, whose variables are private: where the thread entered the runtime. If the runtime does not say, below the
// function's frame at its entry.
uptr entered_runtime_in(const ThreadState& thread, const ompt_frame_t* frame) {
  const uptr enter = frame ? reinterpret_cast<uptr>(frame->enter_frame.ptr) : 0;
  if (enter) return enter;
  return t_serialised_in ? t_serialised_in : thread.top[-1].frame_address;
}

void on_parallel_begin(ompt_data_t*, const ompt_frame_t* frame, ompt_data_t* parallel, unsigned int, int,
                       const void* pc) {
  ThreadState* thread = self();
  if (!thread) return;
  RuntimeScope scope(*thread);
  if (!t_forked) t_forked = memory::make<Vector<TeamState*>>();
  if (!running(*thread)) return t_forked->push_back(nullptr);
  auto* team = memory::make<TeamState>();
  team->created_at = current_stack(*thread, reinterpret_cast<uptr>(pc));
  team->team = rt().order.fork(*thread->context->task);
  team->sections = begins_sections();
  team->forked_in = entered_runtime_in(*thread, frame);
  share_stack(*thread, team->forked_in);
  team->turns = turns_of_team(*thread);
  parallel->ptr = team;
  t_forked->push_back(team);
}

void on_parallel_end(ompt_data_t* parallel, ompt_data_t*, int, const void*) {
  ThreadState* thread = self();
  if (!thread || !t_forked || t_forked->empty()) return;
  TeamState* team = t_forked->back();
  t_forked->pop_back();
  if (!team) return;
  RuntimeScope scope(*thread);
  rt().order.join(*team->team);
  for (order::SyncObject* ends : team->ends) memory::destroy(ends);
  memory::destroy(team);
  parallel->ptr = nullptr;
}

// Implicit tasks of a thread are properly nested, so its own contexts show which one ends. (OMPT's storage does not:
// serialised regions share it, and a worker may get another's when it leaves a barrier late.)
bool is_implicit(const TaskContext* context) {
  return context && context->frontend && static_cast<const OmpTask*>(context)->team;
}

void end_implicit(ThreadState& thread) {
  while (is_implicit(thread.context) && static_cast<OmpTask*>(thread.context)->team_work)
    end_team_work(thread);
  if (!is_implicit(thread.context)) return;  // the initial task of a thread: not to be ended here
  auto* task = static_cast<OmpTask*>(thread.context);
  if (!task->waiting) rt().order.end(*task->task);  // a team of one has no barrier at its end
  leave_task(thread);
  rt().order.let_go(*task->task);
  memory::destroy(task);
}

void begin_implicit(ThreadState& thread, TeamState& team, TaskKind kind, uptr own_below) {
  // A worker is notified late, or never, that its last region has ended.
  while (is_implicit(thread.context) && thread.context->waiting) end_implicit(thread);
  auto* task = memory::make<OmpTask>();
  task->frontend = task;
  task->team = &team;
  task->task = rt().order.implicit_task(*team.team);
  describe(*task->task, kind, team.created_at);
  if (team.turns.name) take_turns(thread, *task, team.turns);
  enter_task(thread, *task, own_below);
}

void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t*, unsigned int,
                      unsigned int, int flags) {
  ThreadState* thread = self();
  if (!thread) return;
  RuntimeScope scope(*thread);
  auto* team = parallel ? static_cast<TeamState*>(parallel->ptr) : nullptr;
  // The forking thread is the first thread of the region.
  uptr own_below = thread->stack_high;
  if (team && endpoint == ompt_scope_begin && t_forked && !t_forked->empty())
    if (TeamState* forked = t_forked->back(); forked && !std::exchange(forked->entered, true)) {
      team = forked;
      own_below = forked->forked_in;
    }
  if (endpoint == ompt_scope_end) end_implicit(*thread);
  // The initial task of a thread that is not in a league is the thread's own, and exists already.
  else if (team)
    begin_implicit(*thread, *team,
                   flags & ompt_task_initial ? TaskKind::kInitialTeamTask : TaskKind::kImplicitTask,
                   own_below);
}

}  // namespace

OmpTask* implicit_of(ThreadState& thread) {
  for (TaskContext* context = thread.context; context; context = context->outer) {
    if (!context->frontend) return nullptr;
    auto* task = static_cast<OmpTask*>(context);
    if (task->team && !task->team_work) return task;
    if (!task->team_work) return nullptr;
  }
  return nullptr;
}

void register_parallel(ompt_set_callback_t set) {
  set(ompt_callback_parallel_begin, reinterpret_cast<ompt_callback_t>(on_parallel_begin));
  set(ompt_callback_parallel_end, reinterpret_cast<ompt_callback_t>(on_parallel_end));
  set(ompt_callback_implicit_task, reinterpret_cast<ompt_callback_t>(on_implicit_task));
}

}  // namespace heddle::openmp

HEDDLE_ENTRY void __kmpc_serialized_parallel(void* location, int gtid) {
  HEDDLE_FIND_REAL(__kmpc_serialized_parallel);
  using namespace heddle;
  openmp::t_serialised_in = HEDDLE_CALLED_AT;
  real(location, gtid);
  openmp::t_serialised_in = 0;
}
