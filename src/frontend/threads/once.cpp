// Things that are done once: pthread_once (and std::call_once, which is made of it), C11 call_once, and the
// guards of local static variables. Whoever did it publishes; everyone who finds it done awaits.
#include <pthread.h>
#include <threads.h>

#include "frontend/controlled.hpp"
#include "frontend/threads/threads.hpp"

namespace {

using namespace heddle;

// The call in progress. It is read before the routine runs, so routines that call pthread_once themselves may
// overwrite it, and one that throws leaves nothing to put right.
struct Once {
  void (*routine)();
  void* control;
  uptr caller;
};
__thread Once t_once;

// A routine that runs is the first of its control, so what an earlier control at this address published is
// over.
void run_and_publish() {
  Once once = t_once;
  once.routine();
  threads::renewed(once.caller, once.control);
  threads::publish_at(once.caller, once.control);
}

// Programs ask again and again whether something has been done. What was published once does not change, so a
// task that knows of it need not learn it again. A Sync is never freed, and a new one is made for a new
// control: its address says which is meant.
struct Known {
  const Sync* sync;
  order::TaskId task;
};
constexpr usize kKnown = 16;
__thread Known t_known[kKnown];

void await_done(uptr caller, const void* control) {
  ThreadState* thread = participant(caller);
  if (!thread) return;
  order::TaskId task = thread->context->task->id;
  const Sync* sync = rt().syncs.find(address_of(control), SyncTable::kOther);
  Known& known = t_known[mix(address_of(control)) % kKnown];
  if (!sync || (known.sync == sync && known.task == task)) return;
  RuntimeScope scope(*thread);
  await(*thread, address_of(control), SyncTable::kOther);
  known = {sync, task};
}

// glibc's word for a control: bit 0 says that somebody is at it.
bool nobody_is_at_it(void* control) { return (*static_cast<volatile int*>(control) & 1) == 0; }

void wait_as_actor(uptr caller, void* object, bool (*free)(void*), const char* what) {
  if (!free(object))
    threads::wait(
        {.object = address_of(object), .enabled = free, .data = object, .what = what, .pc = caller});
}

template <class RealOnce>
int call_once_by(uptr caller, void* control, void (*routine)(), RealOnce real) {
  if (control::active())
    wait_as_actor(caller, control, nobody_is_at_it, "waits for a routine that somebody calls once");
  if (!participant(caller)) return real(routine);
  t_once = {routine, control, caller};
  int result = real(run_and_publish);
  await_done(caller, control);
  return result;
}

}  // namespace

HEDDLE_INTERPOSE(int, pthread_once, pthread_once_t* control, void (*routine)()) {
  return call_once_by(HEDDLE_CALLER, control, routine,
                      [=](void (*run)()) { return real_pthread_once(control, run); });
}
HEDDLE_INTERPOSE(void, call_once, once_flag* flag, void (*routine)()) {
  call_once_by(HEDDLE_CALLER, flag, routine, [=](void (*run)()) {
    real_call_once(flag, run);
    return 0;
  });
}

// --- local static variables: compilers first load the guard's byte themselves, as an atomic ----------------

namespace {
// libstdc++'s word for a guard: bit 8 says that somebody is at it.
bool nobody_initialises(void* guard) { return (*static_cast<volatile int*>(guard) & 0x100) == 0; }
}  // namespace

HEDDLE_INTERPOSE(int, __cxa_guard_acquire, long long* guard) {
  if (control::active())
    wait_as_actor(HEDDLE_CALLER, guard, nobody_initialises, "waits for the initialisation of a local static");
  int must_initialise = real___cxa_guard_acquire(guard);
  if (!must_initialise) threads::await_at(HEDDLE_CALLER, guard, SyncTable::kAtomic);
  return must_initialise;
}
HEDDLE_INTERPOSE(void, __cxa_guard_release, long long* guard) {
  threads::publish_at(HEDDLE_CALLER, guard, SyncTable::kAtomic);
  real___cxa_guard_release(guard);
}
