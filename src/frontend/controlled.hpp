// Blocking calls under the verification runtime (src/control): a hook first waits at a choice point, then calls the
// real function, which no longer blocks.
#pragma once

#include <pthread.h>

#include <cerrno>

#include "control/control.hpp"
#include "frontend/virtual_time.hpp"

namespace heddle::controlled {

using control::Op;
using control::Outcome;

inline bool never(void*) { return false; }

inline u64 deadline_of(clockid_t clock, const timespec* until) {
  return until ? virtual_time::deadline(clock, *until) : control::kNoDeadline;
}

// A call that may wait for something that is no actor: a thread of a library, another process.
template <class Call>
auto outside(Call call) {
  decltype(call()) result;
  int error;
  control::leave_baton();
  // A thread that is cancelled meanwhile runs its handlers with the baton.
  pthread_cleanup_push([](void*) { control::take_baton(); }, nullptr);
  result = call();
  error = errno;
  pthread_cleanup_pop(1);
  errno = error;
  return result;
}

// After a lock was really released.
inline void released(const volatile void* lock) {
  if (!control::active()) return;
  control::release(reinterpret_cast<uptr>(lock));
  control::cut();
}

// A choice point until `enabled(data)`.
template <class T>
void wait_until(bool (*enabled)(const T&), const T& data, const char* what, uptr caller) {
  struct Call {
    bool (*enabled)(const T&);
    const T& data;
  } call{enabled, data};
  control::choose(
      {.op = control::Op::kWait,
       .enabled = [](void* at) { return static_cast<Call*>(at)->enabled(static_cast<Call*>(at)->data); },
       .data = &call,
       .what = what,
       .pc = caller});
}

// A wait that is a cancellation point. Does not return if the actor was cancelled. kInterrupted: a handler ran, and
// the call is one that then fails with EINTR.
enum class Signals : u8 { kEndIt, kDoNotEndIt };
inline Outcome wait(control::Pending pending, Signals signals = Signals::kDoNotEndIt) {
  pending.op = Op::kWait;
  pending.interruptible = control::kBySignal | control::kByCancellation;
  for (;;) {
    Outcome outcome = control::choose(pending);
    if (outcome == Outcome::kCancelled) {
      pthread_testcancel();
      pending.interruptible = control::kBySignal;  // cancellation is disabled
    } else if (outcome != Outcome::kInterrupted || signals == Signals::kEndIt) {
      return outcome;
    }
  }
}

}  // namespace heddle::controlled
