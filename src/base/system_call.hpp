// System calls of our own, among them waiting for a word of memory to change. The C library's functions for it are
// hooks, or may be something else altogether: a program may have a variable `stat`.
#pragma once

#include <sys/syscall.h>
#include <time.h>

#include <type_traits>

#include "base/types.hpp"

namespace heddle {

namespace detail {
inline long as_word(const volatile void* pointer) { return reinterpret_cast<long>(pointer); }
template <class T>
requires(std::is_integral_v<T> || std::is_enum_v<T>) long as_word(T number) {
  return static_cast<long>(number);
}

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
}  // namespace detail

// Arguments are numbers and pointers. Returns -errno where the C library would set errno.
template <class... Arguments>
inline long system_call(long number, Arguments... arguments) {
  return detail::system_call(number, detail::as_word(arguments)...);
}
inline bool is_error(long result) { return result < 0 && result >= -4095; }

// SYS_read or SYS_write of all these bytes, also after interruptions. Returns the number of bytes; fewer mean the end
// of the file, or an error.
inline usize transfer(long number, int descriptor, void* data, usize size) {
  constexpr long kInterrupted = -4;
  usize done = 0;
  while (done < size) {
    const long now = system_call(number, descriptor, static_cast<char*>(data) + done, size - done);
    if (now == kInterrupted) continue;
    if (now <= 0) break;
    done += static_cast<usize>(now);
  }
  return done;
}

// While the word has this value; may return without a reason. False: the time (null: no limit) is over.
inline bool futex_wait(const u32* word, u32 value, const timespec* most = nullptr) {
  constexpr long kWaitPrivate = 0 | 128, kTimedOut = -110;
  return system_call(SYS_futex, reinterpret_cast<long>(word), kWaitPrivate, value,
                     reinterpret_cast<long>(most)) != kTimedOut;
}
inline void futex_wake(const u32* word, u32 most = 1);

// A word that one thread waits at and others give values, without a system call if no thread sleeps: the sleeper says
// so in the word.
constexpr u32 kAsleep = ~u32{0};
inline void sleep_while(u32* word, u32 value) {
  u32 found = value;
  if (__atomic_compare_exchange_n(word, &found, kAsleep, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE) ||
      found == kAsleep)
    futex_wait(word, kAsleep);
}
// Returns what the word said before.
inline u32 give_and_wake(u32* word, u32 value) {
  const u32 before = __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL);
  if (before == kAsleep) futex_wake(word);
  return before;
}

inline void futex_wake(const u32* word, u32 most) {
  constexpr long kWakePrivate = 1 | 128;
  system_call(SYS_futex, reinterpret_cast<long>(word), kWakePrivate, most);
}

}  // namespace heddle
