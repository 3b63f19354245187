// Waits on a word of memory by syscall(SYS_futex): std::atomic::wait, futures, latches, and libraries with their own
// locks. It matters only under the verification runtime: the queues are then ours.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>

#include "base/system_call.hpp"
#include "frontend/shared_mappings.hpp"
#include "frontend/threads/threads.hpp"
#include "frontend/threads/waiting_line.hpp"

namespace {

using namespace heddle;
using threads::Outcome;

using threads::Waiter;
using threads::WaitingLine;

Global<threads::WaitingLines> g_lines;  // guarded by the baton

long wait_as_actor(uptr caller, const u32* word, u32 value, u64 deadline) {
  // Comparing and enqueuing are one step: a store or a wake-up comes before it or after it.
  if (control::explores())
    control::choose({.op = control::Op::kAtomic,
                     .write = false,
                     .object = address_of(word),
                     .what = "compares an atomic variable before a wait",
                     .pc = caller});
  if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) return -EAGAIN;
  Waiter waiter;
  g_lines->join(address_of(word), waiter);
  Outcome outcome = control::choose({.op = control::Op::kWait,
                                     .timed = true,
                                     .interruptible = control::kBySignal,
                                     .object = address_of(word),
                                     .enabled = WaitingLine::is_woken,
                                     .data = &waiter,
                                     .settle = WaitingLine::settle,
                                     .deadline = deadline,
                                     .what = "waits for an atomic variable to change",
                                     .pc = caller});
  if (outcome == Outcome::kReady)
    g_lines->take(address_of(word), waiter);
  else
    g_lines->leave(address_of(word), waiter);
  return outcome == Outcome::kTimedOut ? -ETIMEDOUT : outcome == Outcome::kInterrupted ? -EINTR : 0;
}

long wake_as_actor(uptr caller, const u32* word, u64 most) {
  control::choose({.op = control::Op::kChoice,
                   .object = address_of(word),
                   .what = "wakes those that wait for an atomic variable",
                   .pc = caller});
  const u64 waiting = g_lines->count(address_of(word));
  g_lines->wake(address_of(word), most);
  control::cut();
  return static_cast<long>(waiting < most ? waiting : most);
}

u64 relative(const timespec* duration) {
  return duration ? virtual_time::deadline_in(virtual_time::nanoseconds(*duration)) : control::kNoDeadline;
}

constexpr u32 kAnyBit = ~u32{0};

bool as_actor(uptr caller, const long arguments[6], long& result) {
  auto* word = reinterpret_cast<const u32*>(arguments[0]);
  const long operation = arguments[1];
  const u32 value = static_cast<u32>(arguments[2]);
  auto* time = reinterpret_cast<const timespec*>(arguments[3]);
  const clockid_t clock = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  if (!(operation & FUTEX_PRIVATE_FLAG) && shared_mappings::contain(word)) return false;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
      result = wait_as_actor(caller, word, value, relative(time));
      return true;
    case FUTEX_WAIT_BITSET:
      if (static_cast<u32>(arguments[5]) != kAnyBit) return false;
      result = wait_as_actor(caller, word, value, threads::deadline_of(clock, time));
      return true;
    case FUTEX_WAKE:
      result = wake_as_actor(caller, word, value);
      return true;
    case FUTEX_WAKE_BITSET:
      if (static_cast<u32>(arguments[5]) != kAnyBit) return false;
      result = wake_as_actor(caller, word, value);
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
    // The kernel handles what other processes share, and locks with priority inheritance.
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
