// Reader-writer locks: readers do not exclude each other, and do not synchronise with each other.
#include <pthread.h>

#include "base/hash_map.hpp"
#include "control/strategy.hpp"
#include "frontend/threads/mutex.hpp"
#include "frontend/threads/threads.hpp"

namespace {

using namespace heddle;

HEDDLE_INLINE int after_lock(uptr caller, pthread_rwlock_t* lock, order::Mode mode, int result,
                             bool waits = true) {
  if (result == 0) threads::locked(caller, lock, LockKind::kRwLock, mode, waits);
  return result;
}
// A try, or a wait with a time limit.
HEDDLE_INLINE int after_try(uptr caller, pthread_rwlock_t* lock, order::Mode mode, int result) {
  return after_lock(caller, lock, mode, result, false);
}
constexpr order::Mode kRead = order::Mode::kRead;
constexpr order::Mode kWrite = order::Mode::kWrite;

HEDDLE_REAL(int, pthread_rwlock_rdlock, pthread_rwlock_t*);
HEDDLE_REAL(int, pthread_rwlock_wrlock, pthread_rwlock_t*);
HEDDLE_REAL(int, pthread_rwlock_tryrdlock, pthread_rwlock_t*);
HEDDLE_REAL(int, pthread_rwlock_trywrlock, pthread_rwlock_t*);

int lock_or_wait(uptr caller, pthread_rwlock_t* lock, order::Mode mode) {
  const bool write = mode == kWrite;
  return threads::lock_or_wait(
      caller, lock, LockKind::kRwLock, mode,
      [=] { return write ? real_pthread_rwlock_trywrlock(lock) : real_pthread_rwlock_tryrdlock(lock); },
      [=] { return write ? real_pthread_rwlock_wrlock(lock) : real_pthread_rwlock_rdlock(lock); });
}

// Whether a reader has to wait for a waiting writer is open. It matters only if several threads hold a lock for
// reading, and another wants to write.
struct Use {
  bool by_several = false, for_writing = false;
};
Global<HashMap<Use>> g_uses;  // guarded by the baton

Use& use_of(uptr lock) { return (*g_uses)[lock]; }

void name_assumption(const Use& use) {
  if (use.by_several && use.for_writing) control::assume(control::Assumption::kReadersFirst);
}
// Before it waits, perhaps forever.
void note_wish(uptr lock, bool write) {
  if (!control::explores()) return;
  Use& use = use_of(lock);
  use.for_writing |= write;
  use.by_several |= !write && control::holds(lock, false);
  name_assumption(use);
}
void note_reader(uptr lock) {
  if (!control::explores()) return;
  Use& use = use_of(lock);
  use.by_several |= control::holder(lock, true, control::current()) != nullptr;
  name_assumption(use);
}

// Under the verification runtime. glibc knows the writer, and refuses; it does not know the readers.
int lock_as_actor(uptr caller, pthread_rwlock_t* lock, order::Mode mode,
                  u64 deadline = control::kNoDeadline) {
  const bool write = mode == kWrite;
  auto real = [=] { return write ? real_pthread_rwlock_wrlock(lock) : real_pthread_rwlock_rdlock(lock); };
  if (control::holds(address_of(lock), true)) return real();
  if (write && control::holds(address_of(lock), false))
    return threads::wait_for_oneself(caller, address_of(lock), deadline);
  note_wish(address_of(lock), write);
  if (deadline == control::kNoDeadline) threads::wants(caller, lock, LockKind::kRwLock, mode);
  if (control::acquire(address_of(lock), write, deadline, caller) == control::Outcome::kTimedOut)
    return ETIMEDOUT;
  if (!write) note_reader(address_of(lock));
  int result = real();
  if (result != 0) {
    control::release(address_of(lock));
    threads::gave_up(caller);
  }
  return result;
}
template <class Try>
int try_as_actor(uptr caller, pthread_rwlock_t* lock, order::Mode mode, Try real) {
  const bool write = mode == kWrite;
  if (control::holds(address_of(lock), true) || (write && control::holds(address_of(lock), false)) ||
      !control::try_acquire(address_of(lock), write, caller))
    return EBUSY;
  int result = real();
  if (result != 0)
    control::release(address_of(lock));
  else if (write)
    note_wish(address_of(lock), true);
  else
    note_reader(address_of(lock));
  return result;
}

}  // namespace

HEDDLE_DEFINE(int, pthread_rwlock_rdlock, pthread_rwlock_t* lock) {
  if (control::active())
    return after_lock(HEDDLE_CALLER, lock, kRead, lock_as_actor(HEDDLE_CALLER, lock, kRead));
  return after_lock(HEDDLE_CALLER, lock, kRead, lock_or_wait(HEDDLE_CALLER, lock, kRead));
}
HEDDLE_DEFINE(int, pthread_rwlock_tryrdlock, pthread_rwlock_t* lock) {
  if (control::active())
    return after_try(HEDDLE_CALLER, lock, kRead, try_as_actor(HEDDLE_CALLER, lock, kRead, [=] {
                       return real_pthread_rwlock_tryrdlock(lock);
                     }));
  return after_try(HEDDLE_CALLER, lock, kRead, real_pthread_rwlock_tryrdlock(lock));
}
HEDDLE_INTERPOSE(int, pthread_rwlock_timedrdlock, pthread_rwlock_t* lock, const timespec* until) {
  if (control::active())
    return after_try(HEDDLE_CALLER, lock, kRead,
                     lock_as_actor(HEDDLE_CALLER, lock, kRead, threads::deadline_of(CLOCK_REALTIME, until)));
  return after_try(HEDDLE_CALLER, lock, kRead, real_pthread_rwlock_timedrdlock(lock, until));
}
HEDDLE_INTERPOSE(int, pthread_rwlock_clockrdlock, pthread_rwlock_t* lock, clockid_t clock,
                 const timespec* until) {
  if (control::active())
    return after_try(HEDDLE_CALLER, lock, kRead,
                     lock_as_actor(HEDDLE_CALLER, lock, kRead, threads::deadline_of(clock, until)));
  return after_try(HEDDLE_CALLER, lock, kRead, real_pthread_rwlock_clockrdlock(lock, clock, until));
}
HEDDLE_DEFINE(int, pthread_rwlock_wrlock, pthread_rwlock_t* lock) {
  if (control::active())
    return after_lock(HEDDLE_CALLER, lock, kWrite, lock_as_actor(HEDDLE_CALLER, lock, kWrite));
  return after_lock(HEDDLE_CALLER, lock, kWrite, lock_or_wait(HEDDLE_CALLER, lock, kWrite));
}
HEDDLE_DEFINE(int, pthread_rwlock_trywrlock, pthread_rwlock_t* lock) {
  if (control::active())
    return after_try(HEDDLE_CALLER, lock, kWrite, try_as_actor(HEDDLE_CALLER, lock, kWrite, [=] {
                       return real_pthread_rwlock_trywrlock(lock);
                     }));
  return after_try(HEDDLE_CALLER, lock, kWrite, real_pthread_rwlock_trywrlock(lock));
}
HEDDLE_INTERPOSE(int, pthread_rwlock_timedwrlock, pthread_rwlock_t* lock, const timespec* until) {
  if (control::active())
    return after_try(HEDDLE_CALLER, lock, kWrite,
                     lock_as_actor(HEDDLE_CALLER, lock, kWrite, threads::deadline_of(CLOCK_REALTIME, until)));
  return after_try(HEDDLE_CALLER, lock, kWrite, real_pthread_rwlock_timedwrlock(lock, until));
}
HEDDLE_INTERPOSE(int, pthread_rwlock_clockwrlock, pthread_rwlock_t* lock, clockid_t clock,
                 const timespec* until) {
  if (control::active())
    return after_try(HEDDLE_CALLER, lock, kWrite,
                     lock_as_actor(HEDDLE_CALLER, lock, kWrite, threads::deadline_of(clock, until)));
  return after_try(HEDDLE_CALLER, lock, kWrite, real_pthread_rwlock_clockwrlock(lock, clock, until));
}
HEDDLE_INTERPOSE(int, pthread_rwlock_unlock, pthread_rwlock_t* lock) {
  threads::unlocking(HEDDLE_CALLER, lock);
  int result = real_pthread_rwlock_unlock(lock);
  if (result == 0) threads::released(lock);
  return result;
}
HEDDLE_INTERPOSE(int, pthread_rwlock_init, pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) {
  threads::renewed(HEDDLE_CALLER, lock);
  return real_pthread_rwlock_init(lock, attributes);
}
HEDDLE_INTERPOSE(int, pthread_rwlock_destroy, pthread_rwlock_t* lock) {
  int result = real_pthread_rwlock_destroy(lock);
  if (result == 0) threads::renewed(HEDDLE_CALLER, lock);
  return result;
}
