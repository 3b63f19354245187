// Reader-writer locks: readers do not exclude each other, and hand nothing over to each other.
#include <pthread.h>

#include "frontend/threads/threads.hpp"

namespace {

using namespace heddle;

HEDDLE_INLINE int after_lock(uptr caller, pthread_rwlock_t* lock, order::Mode mode, int result) {
  if (result == 0) threads::locked(caller, lock, LockKind::kRwLock, mode);
  return result;
}
constexpr order::Mode kRead = order::Mode::kRead;
constexpr order::Mode kWrite = order::Mode::kWrite;

}  // namespace

HEDDLE_INTERPOSE(int, pthread_rwlock_rdlock, pthread_rwlock_t* lock) {
  return after_lock(HEDDLE_CALLER, lock, kRead, real_pthread_rwlock_rdlock(lock));
}
HEDDLE_INTERPOSE(int, pthread_rwlock_tryrdlock, pthread_rwlock_t* lock) {
  return after_lock(HEDDLE_CALLER, lock, kRead, real_pthread_rwlock_tryrdlock(lock));
}
HEDDLE_INTERPOSE(int, pthread_rwlock_timedrdlock, pthread_rwlock_t* lock, const timespec* until) {
  return after_lock(HEDDLE_CALLER, lock, kRead, real_pthread_rwlock_timedrdlock(lock, until));
}
HEDDLE_INTERPOSE(int, pthread_rwlock_clockrdlock, pthread_rwlock_t* lock, clockid_t clock,
                 const timespec* until) {
  return after_lock(HEDDLE_CALLER, lock, kRead, real_pthread_rwlock_clockrdlock(lock, clock, until));
}
HEDDLE_INTERPOSE(int, pthread_rwlock_wrlock, pthread_rwlock_t* lock) {
  return after_lock(HEDDLE_CALLER, lock, kWrite, real_pthread_rwlock_wrlock(lock));
}
HEDDLE_INTERPOSE(int, pthread_rwlock_trywrlock, pthread_rwlock_t* lock) {
  return after_lock(HEDDLE_CALLER, lock, kWrite, real_pthread_rwlock_trywrlock(lock));
}
HEDDLE_INTERPOSE(int, pthread_rwlock_timedwrlock, pthread_rwlock_t* lock, const timespec* until) {
  return after_lock(HEDDLE_CALLER, lock, kWrite, real_pthread_rwlock_timedwrlock(lock, until));
}
HEDDLE_INTERPOSE(int, pthread_rwlock_clockwrlock, pthread_rwlock_t* lock, clockid_t clock,
                 const timespec* until) {
  return after_lock(HEDDLE_CALLER, lock, kWrite, real_pthread_rwlock_clockwrlock(lock, clock, until));
}
HEDDLE_INTERPOSE(int, pthread_rwlock_unlock, pthread_rwlock_t* lock) {
  threads::unlocking(HEDDLE_CALLER, lock);
  return real_pthread_rwlock_unlock(lock);
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
