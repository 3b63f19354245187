// Mutexes and spin locks. Only the outermost lock of a recursive mutex excludes anybody, so only that one and
// its unlock count; glibc keeps the depth in the mutex, where its owner may read it.
#include <pthread.h>
#include <threads.h>

#include <cerrno>

#include "frontend/threads/threads.hpp"

namespace {

using namespace heddle;

bool nested(const pthread_mutex_t* mutex) {
  bool recursive = (mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE;
  return recursive && mutex->__data.__count > 1;
}

// The owner of a robust mutex died: the lock is ours, what it protects may be in disorder, and that is no
// race.
HEDDLE_INLINE int after_lock(uptr caller, pthread_mutex_t* mutex, int result) {
  if ((result == 0 || result == EOWNERDEAD) && !nested(mutex))
    threads::locked(caller, mutex, LockKind::kMutex);
  return result;
}
HEDDLE_INLINE void before_unlock(uptr caller, pthread_mutex_t* mutex) {
  if (!nested(mutex)) threads::unlocking(caller, mutex);
}

}  // namespace

HEDDLE_INTERPOSE(int, pthread_mutex_lock, pthread_mutex_t* mutex) {
  return after_lock(HEDDLE_CALLER, mutex, real_pthread_mutex_lock(mutex));
}
HEDDLE_INTERPOSE(int, pthread_mutex_trylock, pthread_mutex_t* mutex) {
  return after_lock(HEDDLE_CALLER, mutex, real_pthread_mutex_trylock(mutex));
}
HEDDLE_INTERPOSE(int, pthread_mutex_timedlock, pthread_mutex_t* mutex, const timespec* until) {
  return after_lock(HEDDLE_CALLER, mutex, real_pthread_mutex_timedlock(mutex, until));
}
HEDDLE_INTERPOSE(int, pthread_mutex_clocklock, pthread_mutex_t* mutex, clockid_t clock,
                 const timespec* until) {
  return after_lock(HEDDLE_CALLER, mutex, real_pthread_mutex_clocklock(mutex, clock, until));
}
HEDDLE_INTERPOSE(int, pthread_mutex_unlock, pthread_mutex_t* mutex) {
  before_unlock(HEDDLE_CALLER, mutex);
  return real_pthread_mutex_unlock(mutex);
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
}  // namespace

HEDDLE_INTERPOSE(int, mtx_lock, mtx_t* mutex) {
  return after_lock(HEDDLE_CALLER, inside(mutex), real_mtx_lock(mutex));
}
HEDDLE_INTERPOSE(int, mtx_trylock, mtx_t* mutex) {
  return after_lock(HEDDLE_CALLER, inside(mutex), real_mtx_trylock(mutex));
}
HEDDLE_INTERPOSE(int, mtx_timedlock, mtx_t* mutex, const timespec* until) {
  return after_lock(HEDDLE_CALLER, inside(mutex), real_mtx_timedlock(mutex, until));
}
HEDDLE_INTERPOSE(int, mtx_unlock, mtx_t* mutex) {
  before_unlock(HEDDLE_CALLER, inside(mutex));
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

HEDDLE_INTERPOSE(int, pthread_spin_lock, pthread_spinlock_t* lock) {
  int result = real_pthread_spin_lock(lock);
  if (result == 0) threads::locked(HEDDLE_CALLER, lock, LockKind::kSpin);
  return result;
}
HEDDLE_INTERPOSE(int, pthread_spin_trylock, pthread_spinlock_t* lock) {
  int result = real_pthread_spin_trylock(lock);
  if (result == 0) threads::locked(HEDDLE_CALLER, lock, LockKind::kSpin);
  return result;
}
HEDDLE_INTERPOSE(int, pthread_spin_unlock, pthread_spinlock_t* lock) {
  threads::unlocking(HEDDLE_CALLER, lock);
  return real_pthread_spin_unlock(lock);
}
HEDDLE_INTERPOSE(int, pthread_spin_init, pthread_spinlock_t* lock, int shared) {
  threads::renewed(HEDDLE_CALLER, lock);
  return real_pthread_spin_init(lock, shared);
}
HEDDLE_INTERPOSE(int, pthread_spin_destroy, pthread_spinlock_t* lock) {
  threads::renewed(HEDDLE_CALLER, lock);
  return real_pthread_spin_destroy(lock);
}
