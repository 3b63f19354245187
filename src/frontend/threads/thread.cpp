// POSIX threads as tasks. A thread is a task spawned by its creator; a join by the creator closes the scope
// that the thread was spawned in, a join by anyone else is a signal from the thread's end.
//
// A thread ends after the destructors of its thread-specific data, which may be instrumented: a key of our own is set
// again in every round but the last that POSIX guarantees. So return, pthread_exit and cancellation all end the same
// way.
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <threads.h>

#include <cerrno>

#include "control/control.hpp"
#include "frontend/controlled.hpp"
#include "frontend/threads/actors.hpp"
#include "frontend/threads/start.hpp"
#include "frontend/threads/thread_table.hpp"
#include "frontend/threads/threads.hpp"
#include "runtime/recording/recorder.hpp"

namespace heddle::threads {
namespace {

Global<ThreadTable> g_table;
pthread_t g_initial;
control::Actor* g_initial_actor = nullptr;

// --- start and end -----------------------------------------------------------------------------------------

struct Start {
  void* (*routine)(void*);
  void* argument;
  ThreadRecord* record;   // null for a thread of a runtime system, whose frontend assigns its tasks
  control::Actor* actor;  // null in a normal run
};

// The value of the key, alive as long as the thread: the remaining rounds of destructors.
struct Ending {
  ThreadRecord* record;
  int rounds;
  bool initial;  // its state outlives the thread
};

// Threads that were created and have not ended, as far as our locks and tables are concerned.
std::atomic<u32> g_others{0};

SpinLock g_key_lock;
bool g_key_made = false;
pthread_key_t g_key;

HEDDLE_REAL(int, pthread_key_create, pthread_key_t*, void (*)(void*));
HEDDLE_REAL(int, pthread_setspecific, pthread_key_t, const void*);

void end_thread(ThreadState& thread, ThreadRecord* record) {
  thread.active = false;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  flush_pending(thread);
  if (record) {
    rt().order.end_thread(*record->task, record->end);
  }
  detach_thread(thread);
  if (record) g_table->ended(pthread_self(), record);
  g_others.fetch_sub(1, std::memory_order_release);
  if (control::current()) {
    release_robust_locks();
    control::end();
  }
}

void pass_round(void* data) {
  auto* ending = static_cast<Ending*>(data);
  ThreadState* thread = self();
  if (!thread) return;  // a forked child
  if (ending->initial) {
    if (--ending->rounds > 0)
      real_pthread_setspecific(g_key, ending);
    else if (control::current())
      control::end();
    return;
  }
  thread->top = thread->frames;  // an unwound stack left frames behind
  if (--ending->rounds > 0) {
    real_pthread_setspecific(g_key, ending);
    return;
  }
  ThreadRecord* record = ending->record;
  memory::destroy(ending);
  end_thread(*thread, record);
}

bool make_key() {
  SpinGuard guard(g_key_lock);
  if (!g_key_made) g_key_made = real_pthread_key_create(&g_key, pass_round) == 0;
  return g_key_made;
}

void* run_thread(void* data) {
  Start start = *static_cast<Start*>(data);
  memory::destroy(static_cast<Start*>(data));
  if (start.record) g_table->begun(pthread_self(), start.record);
  if (start.actor) control::begin(start.actor);
  attach_thread(start.record ? start.record->task : nullptr);
  auto* ending = memory::make<Ending>();
  *ending = {start.record, PTHREAD_DESTRUCTOR_ITERATIONS, false};
  if (!make_key() || real_pthread_setspecific(g_key, ending) != 0) {
    // The program has used up all keys: the thread then ends with its routine.
    memory::destroy(ending);
    void* result = start.routine(start.argument);
    if (ThreadState* thread = self()) end_thread(*thread, start.record);
    return result;
  }
  return start.routine(start.argument);
}

// --- creation ----------------------------------------------------------------------------------------------

order::Task* spawn_thread(ThreadState& creator, uptr pc) {
  order::Task* task = rt().order.spawn_thread(*creator.context->task);
  describe(*task, TaskKind::kThread, current_stack(creator, pc));
  return task;
}

bool starts_detached(const pthread_attr_t* attributes) {
  int state = PTHREAD_CREATE_JOINABLE;
  return attributes && pthread_attr_getdetachstate(attributes, &state) == 0 &&
         state == PTHREAD_CREATE_DETACHED;
}

void record_detach(ThreadState& thread, const ThreadRecord& record) {
  RuntimeScope scope(thread);
  recorder::detached(thread, *record.task);
}

template <class Create>
int create(uptr caller, void* frame, bool detached, void* (*routine)(void*), void* argument,
           pthread_t* handle, Create real) {
  init();
  if (!g_runtime || !rt().enabled) return real(routine, argument);
  auto* start = memory::make<Start>();
  *start = {routine, argument, nullptr, nullptr};
  g_others.fetch_add(1, std::memory_order_relaxed);
  // A runtime system of our own creates its actors itself.
  if (control::active() && origin_of(caller) != Origin::kOwnRuntimeSystem)
    start->actor = control::create("thread");
  ThreadState* creator = participant(caller);
  if (!creator) {
    control::Actor* actor = start->actor;
    int result = real(run_thread, start);
    if (result != 0) memory::destroy(start);
    if (result != 0) g_others.fetch_sub(1, std::memory_order_relaxed);
    if (result != 0 && actor) control::withdraw(actor);
    return result;
  }
  auto* record = memory::make<ThreadRecord>();
  start->record = record;
  record->detached = detached;
  record->creating = true;
  record->actor = start->actor;
  record->creator = creator->context->task;
  {
    uptr pc = program_pc(*creator, caller, frame);
    RuntimeScope scope(*creator);
    record->task = spawn_thread(*creator, pc);
  }
  control::Actor* const actor = record->actor;
  int result = real(run_thread, start);
  if (result == 0) {
    if (detached) record_detach(*creator, *record);
    g_table->created(*handle, record);
    if (actor) control::cut();
  } else {
    g_others.fetch_sub(1, std::memory_order_relaxed);
    if (actor) control::withdraw(actor);
    rt().order.cancel_thread(*record->creator, *record->task);
    memory::destroy(record);
    memory::destroy(start);
  }
  return result;
}

// --- join --------------------------------------------------------------------------------------------------

// After the real join of a thread whose record was found before.
void join(uptr caller, pthread_t handle, ThreadRecord* record) {
  if (!record) return;
  if (ThreadState* thread = participant(caller)) {
    RuntimeScope scope(*thread);
    order::Task& task = *thread->context->task;
    bool over = record->task->ended.load(std::memory_order_acquire);  // false for the initial thread
    if (over && record->creator == &task) {
      rt().order.join_thread(task, *record->task);
    } else {
      if (over)
        rt().order.join_thread(task, *record->task, record->end);
      else
        rt().order.await(task, record->end);
    }
  }
  g_table->joined(handle, record);
}

bool has_ended(void* actor) { return control::ended(static_cast<control::Actor*>(actor)); }

// Null for threads that are no actors.
control::Actor* actor_of_record(pthread_t handle, const ThreadRecord* record) {
  if (record && record->actor) return record->actor;
  return pthread_equal(handle, g_initial) ? g_initial_actor : nullptr;
}

// Zero: the real join will not block.
int wait_for_end(uptr caller, pthread_t handle, const ThreadRecord* record, u64 deadline) {
  control::Actor* actor = actor_of_record(handle, record);
  if (!actor) return 0;
  if (actor == control::current()) return EDEADLK;
  Outcome outcome = wait({.object = address_of(actor),
                          .enabled = has_ended,
                          .data = actor,
                          .deadline = deadline,
                          .what = "joins a thread",
                          .pc = caller,
                          .awaits = actor});
  return outcome == Outcome::kTimedOut ? ETIMEDOUT : 0;
}

// Any of the joining functions: `real` blocks, or tries.
template <class Join>
int join_by(uptr caller, pthread_t handle, u64 deadline, Join real) {
  ThreadRecord* record = self() ? g_table->find(handle) : nullptr;
  int result = 0;
  if (control::active()) result = wait_for_end(caller, handle, record, deadline);
  if (result != 0) return result;
  result = control::active() && !actor_of_record(handle, record) ? outside(real) : real();
  if (result != 0) return result;
  if (!record && self()) {
    record = g_table->find(handle);
    if (record && record->creator) record = nullptr;  // only the initial thread's is created at its end
  }
  join(caller, handle, record);
  return result;
}

template <class Detach>
int detach_by(uptr caller, pthread_t handle, Detach real) {
  ThreadRecord* record = self() ? g_table->find(handle) : nullptr;
  const int result = real();
  if (result != 0 || !record) return result;
  // No event created the initial thread, so none detaches it.
  if (ThreadState* thread = record->creator ? participant(caller) : nullptr) record_detach(*thread, *record);
  g_table->detached(handle, record);
  return result;
}

// The initial thread may end like any other, and be joined. It has no record until then; the process continues, and
// with it the task.
void end_initial_thread(uptr caller) {
  if (control::active() && make_key()) {
    auto* ending = memory::make<Ending>();
    *ending = {nullptr, PTHREAD_DESTRUCTOR_ITERATIONS, true};
    real_pthread_setspecific(g_key, ending);
  }
  ThreadState* thread = participant(caller);
  if (!thread || g_table->find(pthread_self())) return;
  auto* record = memory::make<ThreadRecord>();
  record->task = thread->context->task;
  g_table->begun(pthread_self(), record);
  publish_to(*thread, record->end);
}

bool must_not_try(uptr caller, pthread_t handle) {
  if (!control::active()) return false;
  control::Actor* actor = actor_of_record(handle, self() ? g_table->find(handle) : nullptr);
  if (!actor) return false;
  if (control::explores()) control::assume(control::Assumption::kOneOrder);  // the end of a thread is no step
  if (control::ended(actor)) return false;
  control::looked(caller);
  return !control::ended(actor);
}

}  // namespace

control::Actor* actor_of(pthread_t handle) {
  return actor_of_record(handle, self() ? g_table->find(handle) : nullptr);
}

bool only_initial_thread() { return g_others.load(std::memory_order_acquire) == 0; }

void start_actors() {
  g_initial = pthread_self();
  g_initial_actor = control::current();
}

}  // namespace heddle::threads

using namespace heddle;

HEDDLE_INTERPOSE(int, pthread_create, pthread_t* handle, const pthread_attr_t* attributes,
                 void* (*routine)(void*), void* argument) {
  return threads::create(HEDDLE_CALLER, __builtin_frame_address(0), threads::starts_detached(attributes),
                         routine, argument, handle, [=](void* (*run)(void*), void* data) {
                           return real_pthread_create(handle, attributes, run, data);
                         });
}
// The hook by a name of our own, and the function that the name resolves to in the process.
extern "C" {
__attribute__((alias("pthread_create"), visibility("hidden"))) int heddle_own_pthread_create(
    pthread_t* handle, const pthread_attr_t* attributes, void* (*routine)(void*), void* argument);
int heddle_any_pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*routine)(void*),
                              void* argument) asm("pthread_create");
}
bool threads::hooks_are_in_front() {
  return is_same_function(heddle_any_pthread_create, heddle_own_pthread_create);
}

HEDDLE_INTERPOSE(int, pthread_join, pthread_t handle, void** result) {
  return threads::join_by(HEDDLE_CALLER, handle, control::kNoDeadline,
                          [=] { return real_pthread_join(handle, result); });
}
HEDDLE_INTERPOSE(int, pthread_tryjoin_np, pthread_t handle, void** result) {
  if (threads::must_not_try(HEDDLE_CALLER, handle)) return EBUSY;
  return threads::join_by(HEDDLE_CALLER, handle, control::kNoDeadline, [=] {
    // An ended thread may take a moment to disappear.
    return control::active() ? real_pthread_join(handle, result) : real_pthread_tryjoin_np(handle, result);
  });
}
HEDDLE_INTERPOSE(int, pthread_timedjoin_np, pthread_t handle, void** result, const timespec* until) {
  if (control::active())
    return threads::join_by(HEDDLE_CALLER, handle, threads::deadline_of(CLOCK_REALTIME, until),
                            [=] { return real_pthread_join(handle, result); });
  return threads::join_by(HEDDLE_CALLER, handle, control::kNoDeadline,
                          [=] { return real_pthread_timedjoin_np(handle, result, until); });
}
HEDDLE_INTERPOSE(int, pthread_clockjoin_np, pthread_t handle, void** result, clockid_t clock,
                 const timespec* until) {
  if (control::active())
    return threads::join_by(HEDDLE_CALLER, handle, threads::deadline_of(clock, until),
                            [=] { return real_pthread_join(handle, result); });
  return threads::join_by(HEDDLE_CALLER, handle, control::kNoDeadline,
                          [=] { return real_pthread_clockjoin_np(handle, result, clock, until); });
}
HEDDLE_INTERPOSE(int, pthread_detach, pthread_t handle) {
  return threads::detach_by(HEDDLE_CALLER, handle, [=] { return real_pthread_detach(handle); });
}

HEDDLE_INTERPOSE(int, pthread_cancel, pthread_t handle) {
  control::Actor* actor = control::active() ? threads::actor_of(handle) : nullptr;
  int result = real_pthread_cancel(handle);
  if (result == 0 && actor) {
    control::assume(control::Assumption::kSignals);
    control::interrupt(actor, control::kByCancellation);
  }
  return result;
}

HEDDLE_REAL(void, pthread_exit, void*);
HEDDLE_DEFINE(void, pthread_exit, void* result) {
  if (ThreadState* thread = self(); thread && thread->number == 1) threads::end_initial_thread(HEDDLE_CALLER);
  real_pthread_exit(result);
  __builtin_unreachable();
}

// --- C11: glibc's own versions do not call the functions above ----------------------------------------------------

namespace {

struct C11Start {
  thrd_start_t routine;
  void* argument;
};

void* run_c11(void* data) {
  C11Start start = *static_cast<C11Start*>(data);
  memory::destroy(static_cast<C11Start*>(data));
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(start.routine(start.argument)));
}

}  // namespace

HEDDLE_DEFINE(int, thrd_create, thrd_t* handle, thrd_start_t routine, void* argument) {
  init();
  auto* start = memory::make<C11Start>();
  *start = {routine, argument};
  int result = threads::create(
      HEDDLE_CALLER, __builtin_frame_address(0), false, run_c11, start, handle,
      [=](void* (*run)(void*), void* data) { return real_pthread_create(handle, nullptr, run, data); });
  if (result != 0) memory::destroy(start);
  return result == 0 ? thrd_success : result == ENOMEM ? thrd_nomem : thrd_error;
}
HEDDLE_INTERPOSE(int, thrd_join, thrd_t handle, int* result) {
  return threads::join_by(HEDDLE_CALLER, handle, control::kNoDeadline,
                          [=] { return real_thrd_join(handle, result); });
}
HEDDLE_INTERPOSE(int, thrd_detach, thrd_t handle) {
  return threads::detach_by(HEDDLE_CALLER, handle, [=] { return real_thrd_detach(handle); });
}
