// Sleeps and yields. In a normal run the C library handles both; under the verification runtime a sleep is a wait
// with only a deadline, and a yielding thread comes last. In an exploration neither waits: time may pass at any
// moment, and other threads need not use a yield. They touch nothing, so they add no orders.
#include <pthread.h>
#include <sched.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "frontend/threads/threads.hpp"
#include "runtime/state/code_classes.hpp"

namespace {

using namespace heddle;
using threads::Outcome;

// The remaining time, if a signal came; zero if none did.
u64 sleep_until(uptr caller, u64 deadline) {
  if (control::explores()) {
    control::pause("sleeps", caller, deadline);
    pthread_testcancel();
    return 0;
  }
  Outcome outcome =
      threads::wait({.enabled = threads::never, .deadline = deadline, .what = "sleeps", .pc = caller},
                    threads::Signals::kEndIt);
  if (outcome != Outcome::kInterrupted) return 0;
  u64 now = control::now();
  return now < deadline ? deadline - now : 0;
}

int sleep_for(uptr caller, const timespec* duration, timespec* left) {
  if (!virtual_time::is_valid(*duration) || duration->tv_sec < 0) return EINVAL;
  u64 rest = sleep_until(caller, virtual_time::deadline_in(virtual_time::nanoseconds(*duration)));
  if (rest == 0) return 0;
  if (left)
    *left = {static_cast<time_t>(rest / virtual_time::kSecond),
             static_cast<long>(rest % virtual_time::kSecond)};
  return EINTR;
}

int by_errno(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

}  // namespace

HEDDLE_INTERPOSE(int, sched_yield) {
  if (!control::active()) return real_sched_yield();
  const uptr caller = HEDDLE_CALLER;
  if (ThreadState* thread = self();
      thread && (is_runtime_system(origin_of(caller)) || code::ignores(*thread, caller)))
    control::let_others_go("waits inside of a library", caller);
  else
    control::yield("yields", caller);
  return 0;
}
HEDDLE_INTERPOSE(int, pthread_yield) {
  if (!control::active()) return real_pthread_yield();
  control::yield("yields", HEDDLE_CALLER);
  return 0;
}
HEDDLE_INTERPOSE(void, thrd_yield) {
  if (!control::active()) return real_thrd_yield();
  control::yield("yields", HEDDLE_CALLER);
}

HEDDLE_INTERPOSE(int, nanosleep, const timespec* duration, timespec* left) {
  if (!control::active()) return real_nanosleep(duration, left);
  return by_errno(sleep_for(HEDDLE_CALLER, duration, left));
}
HEDDLE_INTERPOSE(int, clock_nanosleep, clockid_t clock, int flags, const timespec* time, timespec* left) {
  if (!control::active()) return real_clock_nanosleep(clock, flags, time, left);
  if (!(flags & TIMER_ABSTIME)) return sleep_for(HEDDLE_CALLER, time, left);
  if (!virtual_time::is_valid(*time)) return EINVAL;
  return sleep_until(HEDDLE_CALLER, virtual_time::deadline(clock, *time)) ? EINTR : 0;
}
HEDDLE_INTERPOSE(int, usleep, useconds_t microseconds) {
  if (!control::active()) return real_usleep(microseconds);
  timespec duration = {static_cast<time_t>(microseconds / 1'000'000),
                       static_cast<long>(microseconds % 1'000'000) * 1000};
  return by_errno(sleep_for(HEDDLE_CALLER, &duration, nullptr));
}
HEDDLE_INTERPOSE(unsigned, sleep, unsigned seconds) {
  if (!control::active()) return real_sleep(seconds);
  timespec duration = {static_cast<time_t>(seconds), 0}, left = {};
  return sleep_for(HEDDLE_CALLER, &duration, &left) ? static_cast<unsigned>(left.tv_sec + 1) : 0;
}
HEDDLE_INTERPOSE(int, thrd_sleep, const timespec* duration, timespec* left) {
  if (!control::active()) return real_thrd_sleep(duration, left);
  int error = sleep_for(HEDDLE_CALLER, duration, left);
  return error == 0 ? 0 : error == EINTR ? -1 : -2;
}
