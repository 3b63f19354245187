// Explicit tasks: created, scheduled, completed. The life of a task is told by two callbacks: task_create, and task_schedule,
// which names the task that leaves the thread, why it leaves, and the one that comes.
#include "frontend/openmp/omp_task.hpp"
#include "runtime/recorder.hpp"

namespace heddle::openmp {
namespace {

ompt_get_task_memory_t g_get_task_memory = nullptr;

bool is_explicit(const TaskContext* context) {
  return context && context->frontend && static_cast<const OmpTask*>(context)->parent;
}

void on_task_create(ompt_data_t* creator, const ompt_frame_t*, ompt_data_t* data, int flags,
                    int has_dependences, const void* pc) {
  ThreadState* thread = self();
  if (!thread || !running(*thread) || (flags & ompt_task_initial)) return;
  RuntimeScope scope(*thread);
  auto* task = memory::make<OmpTask>();
  task->frontend = task;
  task->parent = thread->context->task;
  task->memory = allocated_for(data);
  data->ptr = task;
  if (flags & ompt_task_taskwait) return;  // `taskwait depend`: only its clauses matter
  // Tasks of a team of one run at once too, and OMPT calls them undeferred: that is the schedule, not the program.
  bool in_final = thread->context->frontend && static_cast<OmpTask*>(thread->context)->final;
  task->undeferred = (flags & ompt_task_undeferred) && (in_final || undeferred_by_clause());
  task->final = in_final || (flags & ompt_task_final);
  // A large taskloop is split by tasks of its own, which create the others in the name of the task that met the loop.
  bool by_taskloop = is_explicit(thread->context) && creator->ptr != static_cast<OmpTask*>(thread->context);
  if (has_dependences) recorder::expect_depends(*thread);
  task->task = by_taskloop ? rt().order.spawn_beside(*task->parent)
                           : rt().order.spawn(*task->parent, task->undeferred);
  TaskKind kind = flags & ompt_task_target            ? TaskKind::kTargetTask
                  : by_taskloop || made_by_taskloop() ? TaskKind::kTaskloopTask
                                                      : TaskKind::kExplicitTask;
  describe(*task->task, kind, current_stack(*thread, creation_pc(pc)));
}

uptr mutexinoutset_lock(const OmpTask& task, uptr address) {
  return mix(address ^ uptr{task.parent->id} << 40) << 3 >> 20;
}

void begin(ThreadState& thread, OmpTask& task) {
  if (task.depends) order::DependTable::begin(rt().order, *task.depends);
  recorder::begun(thread, *task.task);
  enter_task(thread, task);
  for (const order::Depend& clause : task.clauses)
    if (clause.kind == order::DependKind::kMutexinoutset)
      acquire_lock(thread, mutexinoutset_lock(task, clause.address), LockKind::kMutexinoutset,
                   order::Mode::kWrite);
}

// libomp recycles the descriptor with its firstprivate copies: the next task there is not this one.
void forget_current_memory() {
  if (!g_get_task_memory) return;
  void* address = nullptr;
  usize size = 0;
  for (int block = 0, more = 1; more; ++block) {
    more = g_get_task_memory(&address, &size, block);
    if (size) new_memory(reinterpret_cast<uptr>(address), size);
  }
}

// The body has returned. `thread` still runs it.
void finish_body(ThreadState& thread, OmpTask& task) {
  for (const order::Depend& clause : task.clauses)
    if (clause.kind == order::DependKind::kMutexinoutset)
      release_lock(thread, mutexinoutset_lock(task, clause.address), order::Mode::kWrite);
  if (!task.memory.size) forget_current_memory();
  while (thread.context && thread.context != &task)
    leave_task(thread);  // left by an exception or cancellation
  leave_task(thread);
}

void complete(OmpTask* task) {
  rt().order.await(*task->task, task->fulfilled);
  if (task->depends) order::DependTable::finish(rt().order, task->depends);
  rt().order.end(*task->task);
  if (task->undeferred) rt().order.join_undeferred(*task->parent, *task->task);
  if (task->memory.size) new_memory(task->memory.address, task->memory.size);
  memory::destroy(task);
}

bool on_stack_of(ThreadState& thread, const OmpTask* task) {
  for (TaskContext* context = thread.context; context; context = context->outer)
    if (context == task) return true;
  return false;
}

void on_task_schedule(ompt_data_t* prior_data, ompt_task_status_t status, ompt_data_t* next_data) {
  ThreadState* thread = self();
  if (!thread) return;
  RuntimeScope scope(*thread);
  OmpTask* prior = omp_task(prior_data);
  bool ran = prior && on_stack_of(*thread, prior);
  switch (status) {
    case ompt_task_complete:
    case ompt_task_cancel:
      if (!prior || !prior->task) break;
      if (ran) finish_body(*thread, *prior);
      prior_data->ptr = nullptr;
      complete(prior);
      break;
    case ompt_task_detach:  // the body is done, the event is not
      if (ran) finish_body(*thread, *prior);
      break;
    case ompt_task_early_fulfill:
    case ompt_task_late_fulfill:
      if (!prior || !prior->task) break;
      if (thread->context && thread->context->task)
        rt().order.publish(*thread->context->task, prior->fulfilled);
      if (status == ompt_task_late_fulfill) {
        prior_data->ptr = nullptr;
        complete(prior);
      }
      return;
    case ompt_taskwait_complete:
      if (!prior) break;
      order::DependTable::wait(rt().order, *prior->parent, prior->clauses.begin(), prior->clauses.size());
      recorder::waited_for_depends(*thread, *prior->parent, prior->clauses.begin(), prior->clauses.size());
      prior_data->ptr = nullptr;
      memory::destroy(prior);
      return;
    default:
      break;
  }
  OmpTask* next = omp_task(next_data);
  if (!next || on_stack_of(*thread, next)) {
    // Back to what was below: an untied task that leaves here may go on elsewhere.
    while (is_explicit(thread->context) && thread->context != next) leave_task(*thread);
    return;
  }
  if (!next->task) return;
  if (next->parent && !next->begun) {
    next->begun = true;
    begin(*thread, *next);
  } else if (next->parent) {
    recorder::moved_here(*thread);
    enter_task(*thread, *next);  // an untied task goes on
  }
}

}  // namespace

void register_tasks(ompt_set_callback_t set, ompt_function_lookup_t lookup) {
  g_get_task_memory = reinterpret_cast<ompt_get_task_memory_t>(lookup("ompt_get_task_memory"));
  set(ompt_callback_task_create, reinterpret_cast<ompt_callback_t>(on_task_create));
  set(ompt_callback_task_schedule, reinterpret_cast<ompt_callback_t>(on_task_schedule));
}

}  // namespace heddle::openmp
