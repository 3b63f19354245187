// Condition variables. A wait gives the mutex away and takes it back; what wakes it up is a signal from
// whoever woke it.
//
// C++ orders nothing by the notification itself, only by the mutex. But the mutex's order is this run's
// accident, while a waiter that was woken always comes after somebody's notification: so that is what
// structure follows.
#include <pthread.h>
#include <threads.h>

#include <cerrno>

#include "frontend/threads/threads.hpp"

namespace {

using namespace heddle;

// The wait in progress, for the cleanup handler: a cancelled wait holds the mutex again when the program's
// handlers run.
struct Wait {
  uptr caller;
  pthread_mutex_t* mutex;
};

void take_back(void* data) {
  auto* wait = static_cast<Wait*>(data);
  threads::locked(wait->caller, wait->mutex, LockKind::kMutex);
}

// `real` waits and tells by its result whether it was woken or gave up.
template <class RealWait>
int wait_for(uptr caller, void* cond, pthread_mutex_t* mutex, int gave_up, RealWait real) {
  if (!participant(caller)) return real();
  Wait wait{caller, mutex};
  threads::unlocking(caller, mutex);
  int result;
  pthread_cleanup_push(take_back, &wait);
  result = real();
  pthread_cleanup_pop(1);
  if (result != gave_up) threads::await_at(caller, cond);
  return result;
}

constexpr int kNever = -1;

}  // namespace

HEDDLE_INTERPOSE_VERSION(int, pthread_cond_wait, "GLIBC_2.3.2", pthread_cond_t* cond,
                         pthread_mutex_t* mutex) {
  return wait_for(HEDDLE_CALLER, cond, mutex, kNever, [=] { return real_pthread_cond_wait(cond, mutex); });
}
HEDDLE_INTERPOSE_VERSION(int, pthread_cond_timedwait, "GLIBC_2.3.2", pthread_cond_t* cond,
                         pthread_mutex_t* mutex, const timespec* until) {
  return wait_for(HEDDLE_CALLER, cond, mutex, ETIMEDOUT,
                  [=] { return real_pthread_cond_timedwait(cond, mutex, until); });
}
HEDDLE_INTERPOSE(int, pthread_cond_clockwait, pthread_cond_t* cond, pthread_mutex_t* mutex, clockid_t clock,
                 const timespec* until) {
  return wait_for(HEDDLE_CALLER, cond, mutex, ETIMEDOUT,
                  [=] { return real_pthread_cond_clockwait(cond, mutex, clock, until); });
}
HEDDLE_INTERPOSE_VERSION(int, pthread_cond_signal, "GLIBC_2.3.2", pthread_cond_t* cond) {
  threads::publish_at(HEDDLE_CALLER, cond);
  return real_pthread_cond_signal(cond);
}
HEDDLE_INTERPOSE_VERSION(int, pthread_cond_broadcast, "GLIBC_2.3.2", pthread_cond_t* cond) {
  threads::publish_at(HEDDLE_CALLER, cond);
  return real_pthread_cond_broadcast(cond);
}
HEDDLE_INTERPOSE_VERSION(int, pthread_cond_init, "GLIBC_2.3.2", pthread_cond_t* cond,
                         const pthread_condattr_t* attributes) {
  threads::renewed(HEDDLE_CALLER, cond);
  return real_pthread_cond_init(cond, attributes);
}
HEDDLE_INTERPOSE_VERSION(int, pthread_cond_destroy, "GLIBC_2.3.2", pthread_cond_t* cond) {
  threads::renewed(HEDDLE_CALLER, cond);
  return real_pthread_cond_destroy(cond);
}

// --- C11 ---------------------------------------------------------------------------------------------------

namespace {
pthread_mutex_t* inside(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
}  // namespace

HEDDLE_INTERPOSE(int, cnd_wait, cnd_t* cond, mtx_t* mutex) {
  return wait_for(HEDDLE_CALLER, cond, inside(mutex), kNever, [=] { return real_cnd_wait(cond, mutex); });
}
HEDDLE_INTERPOSE(int, cnd_timedwait, cnd_t* cond, mtx_t* mutex, const timespec* until) {
  return wait_for(HEDDLE_CALLER, cond, inside(mutex), thrd_timedout,
                  [=] { return real_cnd_timedwait(cond, mutex, until); });
}
HEDDLE_INTERPOSE(int, cnd_signal, cnd_t* cond) {
  threads::publish_at(HEDDLE_CALLER, cond);
  return real_cnd_signal(cond);
}
HEDDLE_INTERPOSE(int, cnd_broadcast, cnd_t* cond) {
  threads::publish_at(HEDDLE_CALLER, cond);
  return real_cnd_broadcast(cond);
}
HEDDLE_INTERPOSE(int, cnd_init, cnd_t* cond) {
  threads::renewed(HEDDLE_CALLER, cond);
  return real_cnd_init(cond);
}
HEDDLE_INTERPOSE(void, cnd_destroy, cnd_t* cond) {
  threads::renewed(HEDDLE_CALLER, cond);
  real_cnd_destroy(cond);
}
