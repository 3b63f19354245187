// Things that are done once: pthread_once (and std::call_once, which is made of it), C11 call_once, and the guards of local
// static variables. Whoever did it publishes; everyone who finds it done awaits.
#include <pthread.h>
#include <threads.h>

#include "frontend/threads/threads.hpp"

namespace {

using namespace heddle;

// The call in progress. It is read before the routine runs, so routines that call pthread_once themselves may overwrite it,
// and one that throws leaves nothing to put right.
struct Once {
  void (*routine)();
  void* control;
  uptr caller;
};
__thread Once t_once;

void run_and_publish() {
  Once once = t_once;
  once.routine();
  threads::publish_at(once.caller, once.control);
}

template <class RealOnce>
int call_once_by(uptr caller, void* control, void (*routine)(), RealOnce real) {
  if (!participant(caller)) return real(routine);
  t_once = {routine, control, caller};
  int result = real(run_and_publish);
  threads::await_at(caller, control);
  return result;
}

}  // namespace

HEDDLE_INTERPOSE(int, pthread_once, pthread_once_t* control, void (*routine)()) {
  return call_once_by(HEDDLE_CALLER, control, routine, [=](void (*run)()) { return real_pthread_once(control, run); });
}
HEDDLE_INTERPOSE(void, call_once, once_flag* flag, void (*routine)()) {
  call_once_by(HEDDLE_CALLER, flag, routine, [=](void (*run)()) {
    real_call_once(flag, run);
    return 0;
  });
}

// --- local static variables: compilers first load the guard's byte themselves, as an atomic ---------------------------

HEDDLE_INTERPOSE(int, __cxa_guard_acquire, long long* guard) {
  int must_initialise = real___cxa_guard_acquire(guard);
  if (!must_initialise) threads::await_at(HEDDLE_CALLER, guard, SyncTable::kAtomic);
  return must_initialise;
}
HEDDLE_INTERPOSE(void, __cxa_guard_release, long long* guard) {
  threads::publish_at(HEDDLE_CALLER, guard, SyncTable::kAtomic);
  real___cxa_guard_release(guard);
}
