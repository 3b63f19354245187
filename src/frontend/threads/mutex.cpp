// Mutexes and spin locks. Only the outermost lock of a recursive mutex excludes others, so only that one and its
// unlock count; glibc keeps the depth in the mutex, where its owner may read it.
#include <pthread.h>
#include <threads.h>

#include <cerrno>

#include "control/strategy.hpp"
#include "frontend/threads/actors.hpp"
#include "frontend/threads/mutex.hpp"
#include "frontend/threads/threads.hpp"
#include "runtime/locks/hangs.hpp"

HEDDLE_REAL(int, pthread_mutex_lock, pthread_mutex_t*);
HEDDLE_REAL(int, pthread_mutex_trylock, pthread_mutex_t*);
HEDDLE_REAL(int, pthread_mutex_unlock, pthread_mutex_t*);

namespace heddle::threads {

// --- under the verification runtime ------------------------------------------------------------------------

namespace {

int kind_of(const pthread_mutex_t* mutex) { return mutex->__data.__kind & 3; }
bool is_robust(const pthread_mutex_t* mutex) { return mutex->__data.__kind & 16; }

// A mutex that was never unlocked, and whose memory was reused.
void forget_if_free(const pthread_mutex_t* mutex) {
  if (mutex->__data.__lock == 0) control::forget(address_of(mutex));
}

}  // namespace

int wait_for_oneself(uptr caller, uptr lock, u64 deadline) {
  if (control::explores() && deadline != control::kNoDeadline) {  // it may as well be now
    control::pause("waits for a lock that it holds itself", caller, deadline);
    return ETIMEDOUT;
  }
  Outcome outcome = control::choose({.op = Op::kAcquire,
                                     .object = lock,
                                     .enabled = never,
                                     .deadline = deadline,
                                     .what = "waits for a lock that it holds itself",
                                     .pc = caller,
                                     .awaits = control::current()});
  return outcome == Outcome::kTimedOut ? ETIMEDOUT : EDEADLK;
}

int lock_as_actor(uptr caller, pthread_mutex_t* mutex, u64 deadline) {
  const uptr lock = address_of(mutex);
  forget_if_free(mutex);
  if (control::times_held(lock)) {
    if (kind_of(mutex) != PTHREAD_MUTEX_RECURSIVE && kind_of(mutex) != PTHREAD_MUTEX_ERRORCHECK)
      return wait_for_oneself(caller, lock, deadline);
    int result = real_pthread_mutex_lock(mutex);
    if (result == 0) control::gained(lock, true);
    return result;
  }
  if (deadline == control::kNoDeadline) wants(caller, mutex, LockKind::kMutex);
  if (control::acquire(lock, true, deadline, caller) == Outcome::kTimedOut) return ETIMEDOUT;
  int result = real_pthread_mutex_trylock(mutex);
  if (result == EBUSY) result = outside([=] { return real_pthread_mutex_lock(mutex); });
  if (result != 0 && result != EOWNERDEAD) {
    control::release(lock);
    gave_up(caller);
  }
  return result;
}

int try_lock_as_actor(uptr caller, pthread_mutex_t* mutex) {
  const uptr lock = address_of(mutex);
  forget_if_free(mutex);
  if (control::times_held(lock) && kind_of(mutex) != PTHREAD_MUTEX_RECURSIVE) {
    control::looked(caller);
    return EBUSY;
  }
  if (!control::try_acquire(lock, true, caller)) return EBUSY;
  int result = real_pthread_mutex_trylock(mutex);
  if (result != 0 && result != EOWNERDEAD) control::release(lock);
  return result;
}

int unlock_and_go_on(pthread_mutex_t* mutex) {
  const uptr lock = address_of(mutex);
  int result = real_pthread_mutex_unlock(mutex);
  if (result == 0) control::release(lock);
  return result;
}

int unlock_as_actor(pthread_mutex_t* mutex) {
  int result = unlock_and_go_on(mutex);
  if (result == 0) control::cut();
  return result;
}

void release_robust_locks() {
  // Backwards, because released ones leave the list.
  for (u32 i = control::current()->held.size(); i-- > 0;) {
    uptr lock = control::current()->held[i].lock;
    Sync* sync = rt().syncs.find(lock, SyncTable::kLock);
    if (sync && sync->kind == LockKind::kMutex && is_robust(reinterpret_cast<pthread_mutex_t*>(lock))) {
      if (control::explores()) control::assume(control::Assumption::kOneOrder);  // it is no step
      control::forget(lock);
    }
  }
}

}  // namespace heddle::threads

namespace {

using namespace heddle;

bool nested(const pthread_mutex_t* mutex) {
  bool recursive = (mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE;
  return recursive && mutex->__data.__count > 1;
}

// The owner of a robust mutex died: we hold the lock, the protected data may be inconsistent, and that is no race.
HEDDLE_INLINE int after_lock(uptr caller, pthread_mutex_t* mutex, int result, bool waits = true) {
  if ((result == 0 || result == EOWNERDEAD) && !nested(mutex))
    threads::locked(caller, mutex, LockKind::kMutex, order::Mode::kWrite, waits);
  return result;
}
// A try, or a wait with a time limit.
HEDDLE_INLINE int after_try(uptr caller, pthread_mutex_t* mutex, int result) {
  return after_lock(caller, mutex, result, false);
}
HEDDLE_INLINE void before_unlock(uptr caller, pthread_mutex_t* mutex) {
  if (!nested(mutex)) threads::unlocking(caller, mutex);
}

// A plain mutex that the thread already holds: it blocks forever. glibc keeps the owner in the mutex, and only the
// owner itself can find its own number there.
HEDDLE_NOINLINE void tell_of_own_lock(uptr caller, const pthread_mutex_t* mutex) {
  ThreadState* thread = participant(caller);
  const int kind = mutex->__data.__kind & 127;
  const bool plain = kind == PTHREAD_MUTEX_NORMAL || kind == PTHREAD_MUTEX_ADAPTIVE_NP;
  if (!thread || !plain || mutex->__data.__owner != thread->os_id || mutex->__data.__lock == 0) return;
  RuntimeScope scope(*thread);
  hangs::waits_for_itself(*thread, address_of(mutex), LockKind::kMutex, caller);
}
HEDDLE_INLINE bool may_be_own(const pthread_mutex_t* mutex) {
  const ThreadState* thread = self();
  return thread && HEDDLE_UNLIKELY(mutex->__data.__owner == thread->os_id);
}

template <class Wait>
HEDDLE_INLINE int lock_or_wait(uptr caller, pthread_mutex_t* mutex, Wait wait) {
  return threads::lock_or_wait(
      caller, mutex, LockKind::kMutex, order::Mode::kWrite, [=] { return real_pthread_mutex_trylock(mutex); },
      wait);
}

// A runtime system holds its internal locks only while no other actor runs.
HEDDLE_INLINE bool by_actor(uptr caller) {
  return control::active() && origin_of(caller) != Origin::kRuntimeSystem;
}

}  // namespace

HEDDLE_DEFINE(int, pthread_mutex_lock, pthread_mutex_t* mutex) {
  if (by_actor(HEDDLE_CALLER))
    return after_lock(HEDDLE_CALLER, mutex, threads::lock_as_actor(HEDDLE_CALLER, mutex));
  if (may_be_own(mutex)) tell_of_own_lock(HEDDLE_CALLER, mutex);
  return after_lock(HEDDLE_CALLER, mutex,
                    lock_or_wait(HEDDLE_CALLER, mutex, [=] { return real_pthread_mutex_lock(mutex); }));
}
HEDDLE_DEFINE(int, pthread_mutex_trylock, pthread_mutex_t* mutex) {
  if (by_actor(HEDDLE_CALLER))
    return after_try(HEDDLE_CALLER, mutex, threads::try_lock_as_actor(HEDDLE_CALLER, mutex));
  return after_try(HEDDLE_CALLER, mutex, real_pthread_mutex_trylock(mutex));
}
HEDDLE_INTERPOSE(int, pthread_mutex_timedlock, pthread_mutex_t* mutex, const timespec* until) {
  if (by_actor(HEDDLE_CALLER))
    return after_try(
        HEDDLE_CALLER, mutex,
        threads::lock_as_actor(HEDDLE_CALLER, mutex, threads::deadline_of(CLOCK_REALTIME, until)));
  return after_try(HEDDLE_CALLER, mutex, real_pthread_mutex_timedlock(mutex, until));
}
HEDDLE_INTERPOSE(int, pthread_mutex_clocklock, pthread_mutex_t* mutex, clockid_t clock,
                 const timespec* until) {
  if (by_actor(HEDDLE_CALLER))
    return after_try(HEDDLE_CALLER, mutex,
                     threads::lock_as_actor(HEDDLE_CALLER, mutex, threads::deadline_of(clock, until)));
  return after_try(HEDDLE_CALLER, mutex, real_pthread_mutex_clocklock(mutex, clock, until));
}
HEDDLE_DEFINE(int, pthread_mutex_unlock, pthread_mutex_t* mutex) {
  before_unlock(HEDDLE_CALLER, mutex);
  return by_actor(HEDDLE_CALLER) ? threads::unlock_as_actor(mutex) : real_pthread_mutex_unlock(mutex);
}
HEDDLE_INTERPOSE(int, pthread_mutex_init, pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
  threads::renewed(HEDDLE_CALLER, mutex);
  return real_pthread_mutex_init(mutex, attributes);
}
HEDDLE_INTERPOSE(int, pthread_mutex_destroy, pthread_mutex_t* mutex) {
  int result = real_pthread_mutex_destroy(mutex);
  if (result == 0) threads::renewed(HEDDLE_CALLER, mutex);
  return result;
}

// --- C11: an mtx_t is a pthread_mutex_t, and results differ only in failure --------------------------------

namespace {
pthread_mutex_t* inside(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }

int c11_result(int result) {
  switch (result) {
    case 0:
      return thrd_success;
    case EBUSY:
      return thrd_busy;
    case ETIMEDOUT:
      return thrd_timedout;
    default:
      return thrd_error;
  }
}
}  // namespace

HEDDLE_INTERPOSE(int, mtx_lock, mtx_t* mutex) {
  if (control::active())
    return c11_result(
        after_lock(HEDDLE_CALLER, inside(mutex), threads::lock_as_actor(HEDDLE_CALLER, inside(mutex))));
  return after_lock(HEDDLE_CALLER, inside(mutex),
                    lock_or_wait(HEDDLE_CALLER, inside(mutex), [=] { return real_mtx_lock(mutex); }));
}
HEDDLE_INTERPOSE(int, mtx_trylock, mtx_t* mutex) {
  if (control::active())
    return c11_result(
        after_try(HEDDLE_CALLER, inside(mutex), threads::try_lock_as_actor(HEDDLE_CALLER, inside(mutex))));
  return after_try(HEDDLE_CALLER, inside(mutex), real_mtx_trylock(mutex));
}
HEDDLE_INTERPOSE(int, mtx_timedlock, mtx_t* mutex, const timespec* until) {
  if (control::active())
    return c11_result(after_try(
        HEDDLE_CALLER, inside(mutex),
        threads::lock_as_actor(HEDDLE_CALLER, inside(mutex), threads::deadline_of(CLOCK_REALTIME, until))));
  return after_try(HEDDLE_CALLER, inside(mutex), real_mtx_timedlock(mutex, until));
}
HEDDLE_INTERPOSE(int, mtx_unlock, mtx_t* mutex) {
  before_unlock(HEDDLE_CALLER, inside(mutex));
  if (control::active()) return c11_result(threads::unlock_as_actor(inside(mutex)));
  return real_mtx_unlock(mutex);
}
HEDDLE_INTERPOSE(int, mtx_init, mtx_t* mutex, int type) {
  threads::renewed(HEDDLE_CALLER, mutex);
  return real_mtx_init(mutex, type);
}
HEDDLE_INTERPOSE(void, mtx_destroy, mtx_t* mutex) {
  real_mtx_destroy(mutex);
  threads::renewed(HEDDLE_CALLER, mutex);
}

// --- spin locks --------------------------------------------------------------------------------------------

namespace {
int spin_as_actor(uptr caller, pthread_spinlock_t* lock, int (*real)(pthread_spinlock_t*)) {
  if (control::times_held(address_of(lock)))
    return threads::wait_for_oneself(caller, address_of(lock), control::kNoDeadline);
  threads::wants(caller, lock, LockKind::kSpin);
  control::acquire(address_of(lock), true, control::kNoDeadline, caller);
  return real(lock);
}
}  // namespace

HEDDLE_INTERPOSE(int, pthread_spin_trylock, pthread_spinlock_t* lock) {
  if (control::active() &&
      (control::times_held(address_of(lock)) || !control::try_acquire(address_of(lock), true, HEDDLE_CALLER)))
    return EBUSY;
  int result = real_pthread_spin_trylock(lock);
  if (result == 0) threads::locked(HEDDLE_CALLER, lock, LockKind::kSpin, order::Mode::kWrite, false);
  return result;
}
HEDDLE_INTERPOSE(int, pthread_spin_lock, pthread_spinlock_t* lock) {
  int result = control::active() ? spin_as_actor(HEDDLE_CALLER, lock, real_pthread_spin_lock.get())
                                 : threads::lock_or_wait(
                                       HEDDLE_CALLER, lock, LockKind::kSpin, order::Mode::kWrite,
                                       [=] { return real_pthread_spin_trylock(lock); },
                                       [=] { return real_pthread_spin_lock(lock); });
  if (result == 0) threads::locked(HEDDLE_CALLER, lock, LockKind::kSpin);
  return result;
}
HEDDLE_INTERPOSE(int, pthread_spin_unlock, pthread_spinlock_t* lock) {
  threads::unlocking(HEDDLE_CALLER, lock);
  int result = real_pthread_spin_unlock(lock);
  threads::released(lock);
  return result;
}
HEDDLE_INTERPOSE(int, pthread_spin_init, pthread_spinlock_t* lock, int shared) {
  threads::renewed(HEDDLE_CALLER, lock);
  return real_pthread_spin_init(lock, shared);
}
HEDDLE_INTERPOSE(int, pthread_spin_destroy, pthread_spinlock_t* lock) {
  threads::renewed(HEDDLE_CALLER, lock);
  return real_pthread_spin_destroy(lock);
}
