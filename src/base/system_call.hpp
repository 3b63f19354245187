// System calls of our own, among them waiting for a word of memory to change: the C library's functions for it are hooks.
#pragma once

#include <sys/syscall.h>
#include <time.h>

#include "base/types.hpp"

namespace heddle {

// Returns -errno where the C library would set errno.
inline long system_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

// While the word has this value; may return without a reason. False: the time (null: for ever) is over.
inline bool futex_wait(const u32* word, u32 value, const timespec* most = nullptr) {
  constexpr long kWaitPrivate = 0 | 128, kTimedOut = -110;
  return system_call(SYS_futex, reinterpret_cast<long>(word), kWaitPrivate, value,
                     reinterpret_cast<long>(most)) != kTimedOut;
}
inline void futex_wake(const u32* word, u32 most = 1) {
  constexpr long kWakePrivate = 1 | 128;
  system_call(SYS_futex, reinterpret_cast<long>(word), kWakePrivate, most);
}

}  // namespace heddle
