// Tasks from their creation to their completion.
//
// A task that the program does not make undeferred waits in a queue until a thread that must wait for it runs it.
// Outside of parallel regions no thread may ever wait, so there tasks run as soon as they are created and their
// predecessors are complete.
//
// When a schedule is followed or explored, any order of tasks must be possible: there each is an actor, on its own
// thread with the number of the thread that created the task.
#include "control/openmp/tasks.hpp"

#include "base/handlers.hpp"
#include "control/openmp/pool.hpp"

namespace heddle::gomp {
namespace {

int tool_flags(const TaskRequest& request, bool undeferred) {
  int flags = request.target ? ompt_task_target : ompt_task_explicit;
  if (undeferred) flags |= ompt_task_undeferred;
  if (request.flags & kUntied) flags |= ompt_task_untied;
  if (request.flags & kFinal) flags |= ompt_task_final;
  if (request.flags & kMergeable) flags |= ompt_task_mergeable;
  return flags;
}

// The task's own copy of the program's data.
void copy_data(Task* task, const TaskRequest& request) {
  constexpr usize kOurAlignment = 16;
  task->block_size = request.size + (request.align > kOurAlignment ? request.align : 0);
  if (!task->block_size) return;
  task->block = memory::allocate_unzeroed(task->block_size);
  uptr at = reinterpret_cast<uptr>(task->block);
  if (request.align > kOurAlignment) at = (at + request.align - 1) & ~(request.align - 1);
  task->argument = reinterpret_cast<void*>(at);
  if (request.copy)
    request.copy(task->argument, request.data);
  else
    memcpy(task->argument, request.data, request.size);
  if (request.has_range) {
    static_cast<u64*>(task->argument)[0] = request.begin;
    static_cast<u64*>(task->argument)[1] = request.end;
  }
}

void count(Task* task, int by) {
  task->parent->unfinished_children += static_cast<u32>(by);
  task->team->unfinished_tasks += static_cast<u32>(by);
  if (task->belongs_to) task->belongs_to->unfinished += static_cast<u32>(by);
}

void complete(Task* task) {
  task->complete = true;
  for (Task* successor : task->successors) {
    bool queued = successor->body && !successor->undeferred && !successor->is_actor;
    if (--successor->predecessors == 0 && queued) make_ready(successor);
    release(successor);
  }
  task->successors.reset();
  memory::release(task->block, task->block_size);
  task->block = nullptr;
  task->block_size = 0;
  count(task, -1);
  release(task);
}

void exclude_others(const Task* task, bool begin) {
  if (!controlled()) return;
  for (uptr address : task->exclusive) {
    uptr lock = exclusion_lock(task, address);
    if (begin)
      core().acquire(lock, true, control::kNoDeadline, 0);
    else
      core().release(lock);
  }
}

bool event_is_fulfilled(void* data) { return static_cast<Task*>(data)->fulfilled; }

// REQUIRES: `task` is the thread's current task.
void end_body(Thread& thread, Task* task, Task* outer) {
  task->body_done = true;
  if (task->detachable && !task->fulfilled && task->undeferred)
    wait_until(event_is_fulfilled, task, "waits for the event of a task");
  exclude_others(task, false);
  if (task->is_actor) give_turn(thread);
  if (task->detachable && !task->fulfilled) {
    tool().task_schedule(&task->tool, ompt_task_detach, &outer->tool);
    thread.task = outer;
    return cut();
  }
  tool().task_schedule(&task->tool, ompt_task_complete, &outer->tool);
  thread.task = outer;
  complete(task);
  cut();
}

}  // namespace

bool is_cancelled(const Task* task) {
  if (!globals().cancellation) return false;
  if (task->team->cancelled) return true;
  const Group* group = task->belongs_to;
  return group && group->cancels && group->cancels->cancelled;
}

void run_task(Thread& thread, Task* task) {
  Task* outer = thread.task;
  if (globals().cancellation) choose_to(task->team, "checks for cancellation");
  if (is_cancelled(task) && !task->undeferred) {
    tool().task_schedule(&task->tool, ompt_task_cancel, &outer->tool);
    return complete(task);
  }
  exclude_others(task, true);
  tool().task_schedule(&outer->tool, ompt_task_switch, &task->tool);
  thread.task = task;
  cut();
  if (task->is_actor || task->has_clauses) take_turn(thread);
  task->body(task->argument);
  end_body(thread, task, outer);
}

namespace {

bool may_begin(void* data) { return static_cast<const Task*>(data)->predecessors == 0; }

u32 g_task_actors = 0;  // that have not ended
bool none_is_left(void*) { return g_task_actors == 0; }

// Tasks that no thread waits for are complete when the program ends, nevertheless.
void wait_for_task_actors(void*) {
  if (!controlled()) return;
  Thread& thread = self();
  give_turn(thread);
  wait_until(none_is_left, nullptr, "waits for the last tasks, as the program ends");
  take_turn(thread);
}

// On an idle thread, on behalf of the member that created the task.
void be_task(Thread& thread, Task& task) {
  Member* outer = std::exchange(thread.member, task.creator);
  if (task.has_clauses) wait_until(may_begin, &task, "waits for tasks that it depends on");
  u32 own = stand_in(task.creator->tool_number);
  run_task(thread, &task);
  stand_in(own);
  thread.member = outer;
  --g_task_actors;
}

}  // namespace

void make_task(Thread& thread, const TaskRequest& request) {
  prepare();
  Task* parent = thread.task;
  Team* team = thread.member->team;
  auto* task = memory::make<Task>();
  task->parent = parent;
  retain(parent);
  task->team = team;
  task->group = task->belongs_to = parent->group;
  task->settings = parent->settings;
  task->final = parent->final || (request.flags & kFinal);
  task->undeferred = request.undeferred || parent->final;
  task->is_actor = !task->undeferred && controlled() && named();
  task->creator = thread.member;
  task->body = request.body;
  task->target = request.target;
  if (request.flags & kPriority)
    task->priority =
        request.priority < globals().max_task_priority ? request.priority : globals().max_task_priority;
  if (is_cancelled(task)) return release(task);
  if (request.flags & kDetach) {
    task->detachable = true;
    retain(task);  // by its event
    *request.event = task;
    if (request.data) *static_cast<void**>(request.data) = task;
  }
  if (task->undeferred && !request.copy && !request.has_range)
    task->argument = request.data;
  else
    copy_data(task, request);

  Vector<Depend> clauses;
  if (request.flags & kDepend) read_depends(request.depend, clauses);
  static ompt_frame_t no_frame{};
  tool().task_create(&parent->tool, &no_frame, &task->tool, tool_flags(request, task->undeferred),
                     !clauses.empty(), request.pc);
  count(task, 1);
  if (!clauses.empty()) {
    task->has_clauses = true;
    tell_depends(task, clauses);
    add_depends(parent, task, clauses, !task->undeferred);
  }
  if (task->undeferred) {
    // A choice point even if there is nothing to wait for: a schedule must not depend on that.
    if (!clauses.empty()) {
      give_turn(thread);
      wait_for_predecessors(thread, task);
    }
    return run_task(thread, task);
  }
  if (task->is_actor) {
    static const bool registered = (at_exit(wait_for_task_actors), true);
    static_cast<void>(registered);
    ++g_task_actors;
    if (!task->target) start_turns(thread);
    start_task_actor(core().create("OpenMP task"), task, be_task);
    give_turn(thread);
    cut();
    return take_turn(thread);
  }
  if (task->predecessors == 0) make_ready(task);
  // As in every runtime, a thread that creates more tasks than can be kept runs some.
  constexpr u32 kMostUnfinished = 1u << 17;
  bool at_once = team->level == 0 || team->unfinished_tasks > kMostUnfinished;
  if (at_once && task->predecessors == 0) {
    take(task);
    run_task(thread, task);
  } else {
    cut();
  }
}

}  // namespace heddle::gomp

using namespace heddle;
using namespace heddle::gomp;

HEDDLE_GOMP_ENTRY void GOMP_task(void (*body)(void*), void* data, void (*copy)(void*, void*), long size,
                                 long align, bool if_clause, unsigned flags, void** depend, int priority,
                                 void* event) {
  make_task(self(), {.body = body,
                     .data = data,
                     .copy = copy,
                     .size = static_cast<usize>(size),
                     .align = static_cast<usize>(align),
                     .undeferred = !if_clause,
                     .flags = flags,
                     .depend = depend,
                     .priority = priority,
                     .event = static_cast<void**>(event),
                     .pc = HEDDLE_GOMP_PC});
}

HEDDLE_GOMP_ENTRY void omp_fulfill_event(uptr event) {
  self();
  auto* task = reinterpret_cast<Task*>(event);
  if (task->fulfilled) return;
  task->fulfilled = true;
  bool last = task->body_done && !task->undeferred;
  tool().task_schedule(&task->tool, last ? ompt_task_late_fulfill : ompt_task_early_fulfill, nullptr);
  if (last) complete(task);
  release(task);
  cut();
}
