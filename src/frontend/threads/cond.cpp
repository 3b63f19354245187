// Condition variables. A wait releases the mutex and acquires it again, and only that orders anything.
//
// A notification orders nothing: C++ and POSIX allow spurious wakeups, so a write between the unlock and the
// notification races with the waiter. It orders schedules, however: under the verification runtime the notifying step
// enables the wait (explore::Step::enabled_by), which is no order of tasks.
#include <pthread.h>
#include <threads.h>

#include <cerrno>

#include "frontend/threads/mutex.hpp"
#include "frontend/threads/threads.hpp"
#include "frontend/threads/waiting_line.hpp"

// --- under the verification runtime: the queues are ours, and no thread waits at the real ones --------------------

namespace {

using namespace heddle;

using threads::Waiter;
using threads::WaitingLine;

Global<threads::WaitingLines> g_lines;  // of conditions; guarded by the baton

void wake_as_actor(uptr caller, const void* cond, bool all) {
  control::choose({.op = control::Op::kChoice,
                   .object = address_of(cond),
                   .what = "signals a condition variable",
                   .pc = caller});
  g_lines->wake(address_of(cond), all ? threads::kAllOfThem : 1);
  control::cut();
}

// It matters whether it already waits when a signal comes. With the mutex held, before its release.
void before_wait(uptr caller, const void* cond) {
  control::choose({.op = control::Op::kChoice,
                   .looks = true,
                   .releases = true,
                   .object = address_of(cond),
                   .what = "begins a wait for a condition variable",
                   .pc = caller});
}

struct CondWait {
  uptr caller;
  void* cond;
  pthread_mutex_t* mutex;
  Waiter waiter;
};

// Also if the wait is cancelled: the program's handlers run with the mutex.
void lock_again(void* data) {
  auto* wait = static_cast<CondWait*>(data);
  g_lines->leave(address_of(wait->cond), wait->waiter);
  threads::lock_as_actor(wait->caller, wait->mutex);
}

int wait_as_actor(uptr caller, void* cond, pthread_mutex_t* mutex, u64 deadline) {
  CondWait wait{caller, cond, mutex, {}};
  control::assume(control::Assumption::kNoSpuriousWakeUps);
  g_lines->join(address_of(cond), wait.waiter);
  // It unlocks and waits in one step, as the standards say: the notifying step finds it waiting, and enables it, in
  // every execution of a class.
  if (int error = threads::unlock_and_go_on(mutex)) {
    g_lines->leave(address_of(cond), wait.waiter);
    return error;
  }
  threads::Outcome outcome;
  pthread_cleanup_push(lock_again, &wait);
  outcome = threads::wait({.timed = true,
                           .object = address_of(cond),
                           .enabled = WaitingLine::is_woken,
                           .data = &wait.waiter,
                           .settle = WaitingLine::settle,
                           .deadline = deadline,
                           .what = "waits for a condition variable",
                           .pc = caller});
  if (outcome == threads::Outcome::kReady) g_lines->take(address_of(cond), wait.waiter);
  pthread_cleanup_pop(1);
  return outcome == threads::Outcome::kTimedOut ? ETIMEDOUT : 0;
}

// Other processes may signal it: then the wait is real.
bool is_shared(const void* cond) { return static_cast<const pthread_cond_t*>(cond)->__data.__wrefs & 1; }

template <class Real>
int wait_outside(pthread_mutex_t* mutex, Real real) {
  control::release(address_of(mutex));
  int result = threads::outside(real);
  control::gained(address_of(mutex), true);
  return result;
}

int timed_wait_as_actor(uptr caller, void* cond, pthread_mutex_t* mutex, clockid_t clock,
                        const timespec* until) {
  if (!virtual_time::is_valid(*until)) return EINVAL;
  return wait_as_actor(caller, cond, mutex, virtual_time::deadline(clock, *until));
}

// glibc keeps it in a bit of the condition variable.
clockid_t clock_of(const pthread_cond_t* cond) {
  constexpr unsigned kMonotonic = 2;
  return cond->__data.__wrefs & kMonotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

}  // namespace

namespace {

using namespace heddle;

// The current wait, for the cleanup handler: a cancelled wait holds the mutex again when the program's handlers run.
struct Wait {
  uptr caller;
  pthread_mutex_t* mutex;
};

void take_back(void* data) {
  auto* wait = static_cast<Wait*>(data);
  threads::locked(wait->caller, wait->mutex, LockKind::kMutex);
}

// If the holder of the mutex waits for a lock that this thread holds, it never returns, notified or not.
void will_take_back(uptr caller, pthread_mutex_t* mutex) {
  ThreadState* thread = HEDDLE_UNLIKELY(deadlocks::g_on) ? participant(caller) : nullptr;
  if (!thread || control::active()) return;
  RuntimeScope scope(*thread);
  deadlocks::will_want(*thread, address_of(mutex), LockKind::kMutex, order::Mode::kWrite, caller);
}

template <class RealWait>
int wait_for(uptr caller, void* cond, pthread_mutex_t* mutex, RealWait real) {
  if (!participant(caller)) return real();
  Wait wait{caller, mutex};
  if (control::active()) before_wait(caller, cond);
  threads::unlocking(caller, mutex);
  will_take_back(caller, mutex);
  int result;
  pthread_cleanup_push(take_back, &wait);
  result = real();
  pthread_cleanup_pop(1);
  return result;
}

}  // namespace

HEDDLE_INTERPOSE_VERSION(int, pthread_cond_wait, "GLIBC_2.3.2", pthread_cond_t* cond,
                         pthread_mutex_t* mutex) {
  const uptr caller = HEDDLE_CALLER;
  return wait_for(caller, cond, mutex, [=] {
    auto real = [=] { return real_pthread_cond_wait(cond, mutex); };
    if (!control::active()) return real();
    return is_shared(cond) ? wait_outside(mutex, real)
                           : wait_as_actor(caller, cond, mutex, control::kNoDeadline);
  });
}
HEDDLE_INTERPOSE_VERSION(int, pthread_cond_timedwait, "GLIBC_2.3.2", pthread_cond_t* cond,
                         pthread_mutex_t* mutex, const timespec* until) {
  const uptr caller = HEDDLE_CALLER;
  return wait_for(caller, cond, mutex, [=] {
    return control::active() ? timed_wait_as_actor(caller, cond, mutex, clock_of(cond), until)
                             : real_pthread_cond_timedwait(cond, mutex, until);
  });
}
HEDDLE_INTERPOSE(int, pthread_cond_clockwait, pthread_cond_t* cond, pthread_mutex_t* mutex, clockid_t clock,
                 const timespec* until) {
  const uptr caller = HEDDLE_CALLER;
  return wait_for(caller, cond, mutex, [=] {
    return control::active() ? timed_wait_as_actor(caller, cond, mutex, clock, until)
                             : real_pthread_cond_clockwait(cond, mutex, clock, until);
  });
}
HEDDLE_INTERPOSE_VERSION(int, pthread_cond_signal, "GLIBC_2.3.2", pthread_cond_t* cond) {
  if (control::active()) wake_as_actor(HEDDLE_CALLER, cond, false);
  return real_pthread_cond_signal(cond);
}
HEDDLE_INTERPOSE_VERSION(int, pthread_cond_broadcast, "GLIBC_2.3.2", pthread_cond_t* cond) {
  if (control::active()) wake_as_actor(HEDDLE_CALLER, cond, true);
  return real_pthread_cond_broadcast(cond);
}

// --- C11 ---------------------------------------------------------------------------------------------------

namespace {
pthread_mutex_t* inside(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
}  // namespace

HEDDLE_INTERPOSE(int, cnd_wait, cnd_t* cond, mtx_t* mutex) {
  const uptr caller = HEDDLE_CALLER;
  return wait_for(caller, cond, inside(mutex), [=] {
    return control::active() ? wait_as_actor(caller, cond, inside(mutex), control::kNoDeadline)
                             : real_cnd_wait(cond, mutex);
  });
}
HEDDLE_INTERPOSE(int, cnd_timedwait, cnd_t* cond, mtx_t* mutex, const timespec* until) {
  const uptr caller = HEDDLE_CALLER;
  return wait_for(caller, cond, inside(mutex), [=]() -> int {
    if (!control::active()) return real_cnd_timedwait(cond, mutex, until);
    int result = timed_wait_as_actor(caller, cond, inside(mutex), CLOCK_REALTIME, until);
    return result == ETIMEDOUT ? thrd_timedout : result == 0 ? thrd_success : thrd_error;
  });
}
HEDDLE_INTERPOSE(int, cnd_signal, cnd_t* cond) {
  if (control::active()) wake_as_actor(HEDDLE_CALLER, cond, false);
  return real_cnd_signal(cond);
}
HEDDLE_INTERPOSE(int, cnd_broadcast, cnd_t* cond) {
  if (control::active()) wake_as_actor(HEDDLE_CALLER, cond, true);
  return real_cnd_broadcast(cond);
}
