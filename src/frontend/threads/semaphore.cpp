// Semaphores: a post is a signal, a wait that got a permit awaits it. Which post a permit came from cannot be
// known, so a waiter learns of all so far.
#include <semaphore.h>

#include "frontend/threads/threads.hpp"

namespace {

using namespace heddle;

HEDDLE_INLINE int after_wait(uptr caller, sem_t* semaphore, int result) {
  if (result == 0) threads::await_at(caller, semaphore);
  return result;
}

}  // namespace

HEDDLE_INTERPOSE(int, sem_post, sem_t* semaphore) {
  threads::publish_at(HEDDLE_CALLER, semaphore);
  return real_sem_post(semaphore);
}
HEDDLE_INTERPOSE(int, sem_wait, sem_t* semaphore) {
  return after_wait(HEDDLE_CALLER, semaphore, real_sem_wait(semaphore));
}
HEDDLE_INTERPOSE(int, sem_trywait, sem_t* semaphore) {
  return after_wait(HEDDLE_CALLER, semaphore, real_sem_trywait(semaphore));
}
HEDDLE_INTERPOSE(int, sem_timedwait, sem_t* semaphore, const timespec* until) {
  return after_wait(HEDDLE_CALLER, semaphore, real_sem_timedwait(semaphore, until));
}
HEDDLE_INTERPOSE(int, sem_clockwait, sem_t* semaphore, clockid_t clock, const timespec* until) {
  return after_wait(HEDDLE_CALLER, semaphore, real_sem_clockwait(semaphore, clock, until));
}
// A value that says a permit was given tells the reader about it.
HEDDLE_INTERPOSE(int, sem_getvalue, sem_t* semaphore, int* value) {
  return after_wait(HEDDLE_CALLER, semaphore, real_sem_getvalue(semaphore, value));
}
HEDDLE_INTERPOSE(int, sem_init, sem_t* semaphore, int shared, unsigned value) {
  threads::renewed(HEDDLE_CALLER, semaphore);
  return real_sem_init(semaphore, shared, value);
}
HEDDLE_INTERPOSE(int, sem_destroy, sem_t* semaphore) {
  threads::renewed(HEDDLE_CALLER, semaphore);
  return real_sem_destroy(semaphore);
}
// Named semaphores need no more: sem_open gives every opener of a name in this process the same address.
