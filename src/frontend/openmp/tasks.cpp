// Explicit tasks: created, scheduled, completed. Two callbacks report the life of a task: task_create, and
// task_schedule, which names the task that leaves the thread, why it leaves, and the next one.
#include "frontend/interpose.hpp"
#include "frontend/openmp/omp_task.hpp"
#include "runtime/recording/recorder.hpp"

namespace heddle::openmp {
namespace {

ompt_get_task_memory_t g_get_task_memory = nullptr;
ompt_get_task_info_t g_get_task_info = nullptr;

bool is_explicit(const TaskContext* context) {
  return context && context->frontend && static_cast<const OmpTask*>(context)->parent;
}

OmpTask* make(ThreadState& thread, ompt_data_t* data, int flags, bool in_final) {
  auto* task = memory::make<OmpTask>();
  task->frontend = task;
  task->parent = thread.context->task;
  task->memory = allocated_for(data);
  task->final = in_final || (flags & ompt_task_final);
  data->ptr = task;
  return task;
}

// Where the end of the task is to be published: for a taskwait of the thread, and for the end of the taskgroup around.
void set_ends(OmpTask& task, ThreadState& thread) {
  OmpTask* implicit = implicit_of(thread);
  if (!implicit) {  // its parent is an explicit task, for which its own taskwait waits; but the taskgroup is the same
    if (is_explicit(thread.context)) task.group_ends = static_cast<OmpTask*>(thread.context)->group_ends;
    return;
  }
  if (!implicit->ends) implicit->ends = make_ends(*implicit->team);
  task.ends = implicit->ends;
  task.group_ends = implicit->group_ends;
}

void on_task_create(ompt_data_t* creator, const ompt_frame_t*, ompt_data_t* data, int flags,
                    int has_dependences, const void* pc) {
  ThreadState* thread = self();
  if (!thread || !running(*thread) || (flags & ompt_task_initial)) return;
  // Tasks of a team of one run at once too, and OMPT calls them undeferred: that is a property of the schedule.
  bool in_final = thread->context->frontend && static_cast<OmpTask*>(thread->context)->final;
  bool undeferred = (flags & ompt_task_undeferred) && (in_final || undeferred_by_clause());
  // A large taskloop is split by tasks of its own, which create the others on behalf of the encountering task.
  bool by_taskloop = is_explicit(thread->context) && creator->ptr != static_cast<OmpTask*>(thread->context);
  // A history records every task.
  bool included = undeferred && !has_dependences && !by_taskloop && !rt().recording &&
                  !(flags & (ompt_task_taskwait | ompt_task_target));
  if (included) {
    Undisturbed guard(*thread);
    make(*thread, data, flags, in_final)->included = true;
    return;
  }
  RuntimeScope scope(*thread);
  OmpTask* task = make(*thread, data, flags, in_final);
  if (flags & ompt_task_taskwait) return;  // `taskwait depend`: only its clauses matter
  task->undeferred = undeferred;
  if (rt().explored) set_ends(*task, *thread);
  if (Turns turns = turns_of_task(*thread, flags); turns.name) take_turns(*thread, *task, turns);
  if (undeferred) record_end_of_turn(*thread, thread->context);
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

// The frames of the body, which is about to be called, will be below. libomp says in which frame it calls the body; the
// verification runtime does it in the function that called the callback.
uptr body_below(const ompt_data_t* next, uptr callback_called_at) {
  if (const uptr at = called_by_program_at()) return at;
  ompt_data_t* current = nullptr;
  ompt_frame_t* frame = nullptr;
  if (g_get_task_info && g_get_task_info(0, nullptr, &current, &frame, nullptr, nullptr) && current == next &&
      frame)
    if (const uptr at = reinterpret_cast<uptr>(frame->exit_frame.ptr)) return at;
  return callback_called_at;
}

void begin(ThreadState& thread, OmpTask& task, uptr frames_below) {
  if (task.depends) order::begin_dependent(rt().order, *task.depends);
  recorder::begun(thread, *task.task);
  enter_task(thread, task, frames_below);
  record_end_of_turn(thread, task.outer);
  record_turn(thread, &task);
  if (task.undeferred && task.outer) pass_locks_on(thread, *task.outer, task);
  for (const order::Depend& clause : task.clauses)
    if (clause.kind == DependKind::kMutexinoutset)
      acquire_lock(thread, mutexinoutset_lock(task, clause.address), LockKind::kMutexinoutset,
                   order::Mode::kWrite, {.waits = false});
}

// An included task continues its parent's strand, in the parent's frames, under the parent's locks.
void begin_included(ThreadState& thread, OmpTask& task) {
  TaskContext* parent = thread.context;
  task.begun = true;
  task.task = parent->task;
  task.outer_children = rt().order.begin_included(*task.task);
  task.hold_as(*parent);
  task.claims = parent->claims;
  task.stack_base = parent->stack_base;
  task.own_below = parent->own_below;
  task.outer = parent;
  thread.context = &task;
}

void leave_included(ThreadState& thread, OmpTask& task) {
  TaskContext* parent = task.outer;
  rt().order.end_included(*task.task, task.outer_children);
  // The parent holds the locks that it acquired and did not release, and no longer those that it released.
  if (task.lockset != parent->lockset) parent->hold_as(task);
  parent->claims = task.claims;
  thread.context = parent;
}

void leave(ThreadState& thread) {
  auto* task = static_cast<OmpTask*>(thread.context);
  if (is_explicit(task) && task->included)
    leave_included(thread, *task);
  else
    leave_task(thread);
}

void leave_between_parts(ThreadState& thread) {
  auto* task = static_cast<OmpTask*>(thread.context);
  if (task->included) return leave_included(thread, *task);
  record_end_of_turn(thread, task);
  leave_before_return(thread);
  record_turn(thread, thread.context);
}

// libomp recycles the descriptor with its firstprivate copies: the next task there is another one.
template <class Visit>
void for_each_part_of_current_memory(Visit visit) {
  if (!g_get_task_memory) return;
  void* address = nullptr;
  usize size = 0;
  for (int block = 0, more = 1; more; ++block) {
    more = g_get_task_memory(&address, &size, block);
    if (size) visit(reinterpret_cast<uptr>(address), size);
  }
}
void forget_current_memory() {
  for_each_part_of_current_memory([](uptr address, usize size) { new_memory(address, size); });
}

// The accesses of a task's last strand to the task's own memory.
void drop_pending_of_task(ThreadState& thread, const OmpTask& task) {
  if (!thread.sets.dirty_count) return;
  Undisturbed guard(thread);
  drop_pending_in_frames(thread);
  auto drop = [&](uptr address, usize size) { drop_pending(thread, address, address + size); };
  if (task.memory.size)
    drop(task.memory.address, task.memory.size);
  else
    for_each_part_of_current_memory(drop);
}

// The body has returned. `thread` still runs it.
void finish_body(ThreadState& thread, OmpTask& task) {
  for (const order::Depend& clause : task.clauses)
    if (clause.kind == DependKind::kMutexinoutset)
      release_lock(thread, mutexinoutset_lock(task, clause.address), order::Mode::kWrite);
  if (!task.memory.size) forget_current_memory();
  while (thread.context && thread.context != &task) leave(thread);  // left by an exception or cancellation
  if (task.undeferred && task.outer) pass_locks_on(thread, task, *task.outer);
  record_end_of_turn(thread, &task);
  leave(thread);
}

void complete(OmpTask* task) {
  rt().order.await(*task->task, task->fulfilled);
  if (task->depends) order::end_dependent(rt().order, task->depends);
  for (order::SyncObject* ends : {task->ends, task->group_ends})
    if (ends) rt().order.publish(*task->task, *ends);
  if (!task->included) {
    rt().order.end(*task->task);
    if (task->undeferred) rt().order.join_undeferred(*task->parent, *task->task);
    rt().order.let_go(*task->task);
  }
  if (task->memory.size) new_memory(task->memory.address, task->memory.size);
  memory::destroy(task);
}

bool on_stack_of(ThreadState& thread, const OmpTask* task) {
  for (TaskContext* context = thread.context; context; context = context->outer)
    if (context == task) return true;
  return false;
}

// The usual life of an included task: it begins and ends where it was created. The strand continues, so nothing is
// checked.
bool schedule_included(ThreadState& thread, ompt_data_t* prior_data, ompt_task_status_t status,
                       OmpTask* next) {
  OmpTask* prior = omp_task(prior_data);
  bool ends = prior && prior->included && thread.context == prior && status == ompt_task_complete &&
              prior->fulfilled.knowledge.empty() && (!next || next == prior->outer);
  if (ends) {
    Undisturbed guard(thread);
    if (!prior->memory.size) forget_current_memory();
    leave_included(thread, *prior);
    if (prior->memory.size) new_memory(prior->memory.address, prior->memory.size);
    prior_data->ptr = nullptr;
    memory::destroy(prior);
    return true;
  }
  bool begins = next && next->included && !next->begun && status == ompt_task_switch && running(thread) &&
                next->parent == thread.context->task;
  if (!begins) return false;
  Undisturbed guard(thread);
  begin_included(thread, *next);
  return true;
}

void on_task_schedule(ompt_data_t* prior_data, ompt_task_status_t status, ompt_data_t* next_data) {
  ThreadState* thread = self();
  if (!thread) return;
  OmpTask* prior = omp_task(prior_data);
  if (schedule_included(*thread, prior_data, status, omp_task(next_data))) return;
  if (status == ompt_task_complete && prior && prior->task && thread->context == prior && !prior->included)
    drop_pending_of_task(*thread, *prior);
  RuntimeScope scope(*thread);
  bool ran = prior && on_stack_of(*thread, prior);
  switch (status) {
    case ompt_task_complete:
    case ompt_task_cancel:
      if (!prior || !prior->task) break;
      if (ran) finish_body(*thread, *prior);
      prior_data->ptr = nullptr;
      complete(prior);
      if (ran) record_turn(*thread, thread->context);
      break;
    case ompt_task_detach:  // the body has ended, the event is not fulfilled
      if (ran) finish_body(*thread, *prior);
      if (ran) record_turn(*thread, thread->context);
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
      order::wait_for_depends(rt().order, *prior->parent, prior->clauses.begin(), prior->clauses.size());
      recorder::waited_for_depends(*thread, *prior->parent, prior->clauses.begin(), prior->clauses.size());
      prior_data->ptr = nullptr;
      memory::destroy(prior);
      return;
    default:
      break;
  }
  OmpTask* next = omp_task(next_data);
  if (!next || on_stack_of(*thread, next)) {
    // Returns to the task below: an untied task leaves in the call that announces its next part, and may continue
    // elsewhere.
    while (is_explicit(thread->context) && thread->context != next) leave_between_parts(*thread);
    return;
  }
  if (next->included && !next->begun) return begin_included(*thread, *next);
  if (!next->task) return;
  if (next->parent && !next->begun) {
    next->begun = true;
    begin(*thread, *next, body_below(next_data, HEDDLE_CALLED_AT));
  } else if (next->parent) {
    recorder::moved_here(*thread);
    thread->marks_stamped = 0;  // the memory may have been freed meanwhile, and be new
    enter_task(*thread, *next, body_below(next_data, HEDDLE_CALLED_AT));  // an untied task continues
    record_end_of_turn(*thread, next->outer);
    record_turn(*thread, next);
  }
}

}  // namespace

void register_tasks(ompt_set_callback_t set, ompt_function_lookup_t lookup) {
  g_get_task_memory = reinterpret_cast<ompt_get_task_memory_t>(lookup("ompt_get_task_memory"));
  g_get_task_info = reinterpret_cast<ompt_get_task_info_t>(lookup("ompt_get_task_info"));
  set(ompt_callback_task_create, reinterpret_cast<ompt_callback_t>(on_task_create));
  set(ompt_callback_task_schedule, reinterpret_cast<ompt_callback_t>(on_task_schedule));
}

}  // namespace heddle::openmp
