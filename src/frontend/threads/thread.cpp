// POSIX threads as tasks. A thread is a task spawned by its creator; a join by the creator closes the scope
// that the thread was spawned in, a join by anyone else is a signal from the thread's end.
//
// The end of a thread is the end of the destructors of its thread-specific data, which may be instrumented: a
// key of our own is armed again in every round but the last that POSIX promises. So return, pthread_exit and
// cancellation all end alike.
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <threads.h>

#include <cerrno>

#include "frontend/threads/thread_table.hpp"
#include "frontend/threads/threads.hpp"

namespace heddle::threads {
namespace {

Global<ThreadTable> g_table;

// --- start and end -----------------------------------------------------------------------------------------

struct Start {
  void* (*routine)(void*);
  void* argument;
  ThreadRecord* record;  // null for a thread of a runtime system, whose frontend gives it tasks
};

// What the key holds, alive as long as the thread: the rounds of destructors still to be let pass.
struct Ending {
  ThreadRecord* record;
  int rounds;
};

SpinLock g_key_lock;
bool g_key_made = false;
pthread_key_t g_key;

HEDDLE_REAL(int, pthread_key_create, pthread_key_t*, void (*)(void*));
HEDDLE_REAL(int, pthread_setspecific, pthread_key_t, const void*);

void end_thread(ThreadState& thread, ThreadRecord* record) {
  thread.active = false;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  judge_pending(thread);
  if (record) {
    rt().order.end_thread(*record->task, record->end);
  }
  detach_thread(thread);
  if (record) g_table->ended(pthread_self(), record);
}

void pass_round(void* data) {
  auto* ending = static_cast<Ending*>(data);
  ThreadState* thread = self();
  if (!thread) return;           // a forked child
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
  attach_thread(start.record ? start.record->task : nullptr);
  auto* ending = memory::make<Ending>();
  *ending = {start.record, PTHREAD_DESTRUCTOR_ITERATIONS};
  if (!make_key() || real_pthread_setspecific(g_key, ending) != 0) {
    // The program has used up all keys: the thread's end is then the end of its routine.
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

template <class Create>
int create(uptr caller, void* frame, bool detached, void* (*routine)(void*), void* argument,
           pthread_t* handle, Create real) {
  init();
  if (!g_runtime || !rt().enabled) return real(routine, argument);
  auto* start = memory::make<Start>();
  *start = {routine, argument, nullptr};
  ThreadState* creator = participant(caller);
  if (!creator) {
    int result = real(run_thread, start);
    if (result != 0) memory::destroy(start);
    return result;
  }
  auto* record = memory::make<ThreadRecord>();
  start->record = record;
  record->detached = detached;
  record->creator = creator->context->task;
  {
    uptr pc = program_pc(*creator, caller, frame);
    RuntimeScope scope(*creator);
    record->task = spawn_thread(*creator, pc);
  }
  int result = g_table->add(record, handle, [&] { return real(run_thread, start); });
  if (result != 0) {
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
    bool over = record->task->ended.load(std::memory_order_acquire);  // not so for the initial thread
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

// Any of the functions that join: `real` blocks, or tries.
template <class Join>
int join_by(uptr caller, pthread_t handle, Join real) {
  ThreadRecord* record = self() ? g_table->find(handle) : nullptr;
  int result = real();
  if (result != 0) return result;
  if (!record && self()) {
    record = g_table->find(handle);
    if (record && record->creator) record = nullptr;  // only the initial thread's is made at its end
  }
  join(caller, handle, record);
  return result;
}

// The initial thread may end like any other, and be joined. It has no record until then; the process goes on,
// and with it the task.
void end_initial_thread(uptr caller) {
  ThreadState* thread = participant(caller);
  if (!thread || g_table->find(pthread_self())) return;
  auto* record = memory::make<ThreadRecord>();
  record->task = thread->context->task;
  pthread_t handle = pthread_self();
  g_table->add(record, &handle, [] { return 0; });
  publish_to(*thread, record->end);
}

}  // namespace
}  // namespace heddle::threads

using namespace heddle;

HEDDLE_INTERPOSE(int, pthread_create, pthread_t* handle, const pthread_attr_t* attributes,
                 void* (*routine)(void*), void* argument) {
  return threads::create(HEDDLE_CALLER, __builtin_frame_address(0), threads::starts_detached(attributes),
                         routine, argument, handle, [=](void* (*run)(void*), void* data) {
                           return real_pthread_create(handle, attributes, run, data);
                         });
}
HEDDLE_INTERPOSE(int, pthread_join, pthread_t handle, void** result) {
  return threads::join_by(HEDDLE_CALLER, handle, [=] { return real_pthread_join(handle, result); });
}
HEDDLE_INTERPOSE(int, pthread_tryjoin_np, pthread_t handle, void** result) {
  return threads::join_by(HEDDLE_CALLER, handle, [=] { return real_pthread_tryjoin_np(handle, result); });
}
HEDDLE_INTERPOSE(int, pthread_timedjoin_np, pthread_t handle, void** result, const timespec* until) {
  return threads::join_by(HEDDLE_CALLER, handle,
                          [=] { return real_pthread_timedjoin_np(handle, result, until); });
}
HEDDLE_INTERPOSE(int, pthread_clockjoin_np, pthread_t handle, void** result, clockid_t clock,
                 const timespec* until) {
  return threads::join_by(HEDDLE_CALLER, handle,
                          [=] { return real_pthread_clockjoin_np(handle, result, clock, until); });
}
HEDDLE_INTERPOSE(int, pthread_detach, pthread_t handle) {
  threads::ThreadRecord* record = self() ? threads::g_table->find(handle) : nullptr;
  int result = real_pthread_detach(handle);
  if (result == 0 && record) threads::g_table->detached(handle, record);
  return result;
}

HEDDLE_REAL(void, pthread_exit, void*);
HEDDLE_DEFINE(void, pthread_exit, void* result) {
  if (ThreadState* thread = self(); thread && thread->number == 1) threads::end_initial_thread(HEDDLE_CALLER);
  real_pthread_exit(result);
  __builtin_unreachable();
}

// --- C11: glibc's own versions do not come through the functions above -------------------------------------

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
  return threads::join_by(HEDDLE_CALLER, handle, [=] { return real_thrd_join(handle, result); });
}
HEDDLE_INTERPOSE(int, thrd_detach, thrd_t handle) {
  threads::ThreadRecord* record = self() ? threads::g_table->find(handle) : nullptr;
  int result = real_thrd_detach(handle);
  if (result == thrd_success && record) threads::g_table->detached(handle, record);
  return result;
}
