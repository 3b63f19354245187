// Semaphores: a post releases, a successful wait acquires. Which post a permit came from is not known, so a waiter
// acquires from all so far.
#include <semaphore.h>

#include "base/hash_map.hpp"
#include "frontend/controlled.hpp"
#include "frontend/threads/threads.hpp"

HEDDLE_REAL(int, sem_wait, sem_t*);
HEDDLE_REAL(int, sem_trywait, sem_t*);
HEDDLE_REAL(int, sem_getvalue, sem_t*, int*);

namespace {

using namespace heddle;

HEDDLE_INLINE int after_wait(uptr caller, sem_t* semaphore, int result) {
  if (result == 0) threads::await_at(caller, semaphore);
  return result;
}

// --- under the verification runtime ------------------------------------------------------------------------

bool has_permit(void* semaphore) {
  int value = 0;
  return real_sem_getvalue(static_cast<sem_t*>(semaphore), &value) != 0 || value > 0;
}

// Other processes may post to these.
Global<HashMap<bool>> g_shared;

int wait_as_actor(uptr caller, sem_t* semaphore, u64 deadline) {
  threads::Outcome outcome = threads::wait({.outside = g_shared->find(address_of(semaphore)) != nullptr,
                                            .takes = true,
                                            .timed = true,
                                            .object = address_of(semaphore),
                                            .enabled = has_permit,
                                            .data = semaphore,
                                            .deadline = deadline,
                                            .what = "waits for a semaphore",
                                            .pc = caller},
                                           threads::Signals::kEndIt);
  switch (outcome) {
    case threads::Outcome::kTimedOut:
      errno = ETIMEDOUT;
      return -1;
    case threads::Outcome::kInterrupted:
      errno = EINTR;
      return -1;
    case threads::Outcome::kOutside:
      return threads::outside([=] { return real_sem_wait(semaphore); });
    default:
      return real_sem_trywait(semaphore);
  }
}
int timed_wait_as_actor(uptr caller, sem_t* semaphore, clockid_t clock, const timespec* until) {
  if (!virtual_time::is_valid(*until)) {
    errno = EINVAL;
    return -1;
  }
  return wait_as_actor(caller, semaphore, virtual_time::deadline(clock, *until));
}
int try_as_actor(uptr caller, sem_t* semaphore) {
  control::choose({.op = control::Op::kChoice,
                   .looks = true,
                   .repeats = control::has_looked(address_of(semaphore), caller) != nullptr,
                   .object = address_of(semaphore),
                   .what = "tries a semaphore",
                   .pc = caller});
  int result = real_sem_trywait(semaphore);
  if (result == 0) {
    control::changed(caller);
  } else if (control::explores()) {
    auto changed = [](const control::Look& look, const control::Actor&) {
      return has_permit(reinterpret_cast<sem_t*>(look.object));
    };
    control::looked_at({.object = address_of(semaphore), .changed = changed}, caller);
  } else {
    control::looked(caller);
  }
  if (result != 0) errno = EAGAIN;
  return result;
}

}  // namespace

HEDDLE_INTERPOSE(int, sem_post, sem_t* semaphore) {
  if (control::active())
    control::choose({.op = control::Op::kChoice,
                     .object = address_of(semaphore),
                     .what = "posts a semaphore",
                     .pc = HEDDLE_CALLER});
  threads::publish_at(HEDDLE_CALLER, semaphore);
  int result = real_sem_post(semaphore);
  if (control::active()) control::cut();
  return result;
}
HEDDLE_DEFINE(int, sem_wait, sem_t* semaphore) {
  if (control::active())
    return after_wait(HEDDLE_CALLER, semaphore,
                      wait_as_actor(HEDDLE_CALLER, semaphore, control::kNoDeadline));
  return after_wait(HEDDLE_CALLER, semaphore, real_sem_wait(semaphore));
}
HEDDLE_DEFINE(int, sem_trywait, sem_t* semaphore) {
  if (control::active()) return after_wait(HEDDLE_CALLER, semaphore, try_as_actor(HEDDLE_CALLER, semaphore));
  return after_wait(HEDDLE_CALLER, semaphore, real_sem_trywait(semaphore));
}
HEDDLE_INTERPOSE(int, sem_timedwait, sem_t* semaphore, const timespec* until) {
  if (control::active())
    return after_wait(HEDDLE_CALLER, semaphore,
                      timed_wait_as_actor(HEDDLE_CALLER, semaphore, CLOCK_REALTIME, until));
  return after_wait(HEDDLE_CALLER, semaphore, real_sem_timedwait(semaphore, until));
}
HEDDLE_INTERPOSE(int, sem_clockwait, sem_t* semaphore, clockid_t clock, const timespec* until) {
  if (control::active())
    return after_wait(HEDDLE_CALLER, semaphore, timed_wait_as_actor(HEDDLE_CALLER, semaphore, clock, until));
  return after_wait(HEDDLE_CALLER, semaphore, real_sem_clockwait(semaphore, clock, until));
}
// A value that shows a permit acquires from its post.
HEDDLE_DEFINE(int, sem_getvalue, sem_t* semaphore, int* value) {
  if (control::active())
    control::choose({.op = control::Op::kChoice,
                     .write = false,
                     .object = address_of(semaphore),
                     .what = "asks for the value of a semaphore",
                     .pc = HEDDLE_CALLER});
  return after_wait(HEDDLE_CALLER, semaphore, real_sem_getvalue(semaphore, value));
}
HEDDLE_INTERPOSE(int, sem_init, sem_t* semaphore, int shared, unsigned value) {
  threads::renewed(HEDDLE_CALLER, semaphore);
  if (control::active()) {
    if (shared)
      (*g_shared)[address_of(semaphore)] = true;
    else
      g_shared->erase(address_of(semaphore));
  }
  return real_sem_init(semaphore, shared, value);
}
HEDDLE_INTERPOSE(int, sem_destroy, sem_t* semaphore) {
  threads::renewed(HEDDLE_CALLER, semaphore);
  return real_sem_destroy(semaphore);
}
HEDDLE_INTERPOSE(sem_t*, sem_open, const char* name, int flags, mode_t mode, unsigned value) {
  sem_t* semaphore = real_sem_open(name, flags, mode, value);
  if (semaphore != SEM_FAILED && control::active()) (*g_shared)[address_of(semaphore)] = true;
  return semaphore;
}
// Named semaphores need nothing more: sem_open returns the same address for a name within a process.
