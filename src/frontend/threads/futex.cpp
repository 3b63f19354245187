// Waiting on a word of memory by syscall(SYS_futex): std::atomic::wait, futures, latches, and libraries that make their own locks. Only
// under the verification runtime does it matter here: the queues are then ours.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>

#include "base/hash_map.hpp"
#include "base/system_call.hpp"
#include "frontend/shared_mappings.hpp"
#include "frontend/threads/threads.hpp"

namespace {

using namespace heddle;
using threads::Outcome;

// On the stack of whoever waits.
struct Sleeper {
  Sleeper* next = nullptr;
  const u32* word = nullptr;
  u32 bits = 0;
  bool woken = false;
};
// All that wait for any word, in the order of their coming; few. Guarded by the baton.
Sleeper* g_first = nullptr;

void lie_down(Sleeper* sleeper) {
  Sleeper** end = &g_first;
  while (*end) end = &(*end)->next;
  *end = sleeper;
}
void get_up(Sleeper* sleeper) {
  for (Sleeper** at = &g_first; *at; at = &(*at)->next)
    if (*at == sleeper) {
      *at = sleeper->next;
      return;
    }
}

long wait_as_actor(uptr caller, const u32* word, u32 value, u32 bits, u64 deadline) {
  if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) return -EAGAIN;
  Sleeper sleeper{nullptr, word, bits, false};
  lie_down(&sleeper);
  Outcome outcome = control::choose({.op = control::Op::kWait,
                                     .timed = true,
                                     .interruptible = control::kBySignal,
                                     .object = address_of(word),
                                     .enabled = [](void* it) { return static_cast<Sleeper*>(it)->woken; },
                                     .data = &sleeper,
                                     .deadline = deadline,
                                     .what = "waits for an atomic variable to change",
                                     .pc = caller});
  if (!sleeper.woken) get_up(&sleeper);
  return outcome == Outcome::kTimedOut ? -ETIMEDOUT : outcome == Outcome::kInterrupted ? -EINTR : 0;
}

long wake_as_actor(uptr caller, const u32* word, u32 most, u32 bits) {
  control::choose({.op = control::Op::kChoice,
                   .object = address_of(word),
                   .what = "wakes those that wait for an atomic variable",
                   .pc = caller});
  long count = 0;
  for (Sleeper** at = &g_first; *at && static_cast<u32>(count) < most;) {
    Sleeper* sleeper = *at;
    if (sleeper->word != word || !(sleeper->bits & bits)) {
      at = &sleeper->next;
      continue;
    }
    sleeper->woken = true;
    *at = sleeper->next;
    ++count;
  }
  control::cut();
  return count;
}

u64 relative(const timespec* duration) {
  return duration ? virtual_time::deadline_in(virtual_time::nanoseconds(*duration)) : control::kNoDeadline;
}

bool as_actor(uptr caller, const long arguments[6], long& result) {
  auto* word = reinterpret_cast<const u32*>(arguments[0]);
  const long operation = arguments[1];
  const u32 value = static_cast<u32>(arguments[2]);
  auto* time = reinterpret_cast<const timespec*>(arguments[3]);
  const clockid_t clock = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  if (!(operation & FUTEX_PRIVATE_FLAG) && shared_mappings::contain(word)) return false;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
      result = wait_as_actor(caller, word, value, ~0u, relative(time));
      return true;
    case FUTEX_WAIT_BITSET:
      result = wait_as_actor(caller, word, value, static_cast<u32>(arguments[5]),
                             threads::deadline_of(clock, time));
      return true;
    case FUTEX_WAKE:
      result = wake_as_actor(caller, word, value, ~0u);
      return true;
    case FUTEX_WAKE_BITSET:
      result = wake_as_actor(caller, word, value, static_cast<u32>(arguments[5]));
      return true;
    default:
      return false;
  }
}

}  // namespace

HEDDLE_DEFINE(long, syscall, long number, ...) {
  long given[6];
  va_list list;
  va_start(list, number);
  for (long& argument : given) argument = va_arg(list, long);
  va_end(list);
  long result;
  if (number == SYS_futex && control::active()) {
    // What other processes take part in, and locks with inheritance, are the kernel's.
    if (!as_actor(HEDDLE_CALLER, given, result))
      result = threads::outside(
          [&] { return system_call(number, given[0], given[1], given[2], given[3], given[4], given[5]); });
  } else {
    result = system_call(number, given[0], given[1], given[2], given[3], given[4], given[5]);
  }
  if (result >= 0 || result < -4095) return result;
  errno = static_cast<int>(-result);
  return -1;
}
