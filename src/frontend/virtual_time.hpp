// Clocks under the verification runtime. They start at the same time in every run, so that their uses in a program
// (seeds, time stamps) are the same in every run, too.
#pragma once

#include <time.h>

#include "control/control.hpp"

namespace heddle::virtual_time {

constexpr u64 kSecond = 1'000'000'000;
// The first of January 2020: a deadline computed from the real clock is in the future.
constexpr u64 kStartOfCalendar = 1'577'836'800 * kSecond;
// A machine that has been up for a while: programs subtract from the value.
constexpr u64 kStartOfOthers = 100'000 * kSecond;

inline bool is_calendar(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}
// Other clocks count the time of a thread or the process, and are unchanged.
inline bool is_virtual(clockid_t clock) {
  return is_calendar(clock) || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW ||
         clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME;
}
inline u64 start_of(clockid_t clock) { return is_calendar(clock) ? kStartOfCalendar : kStartOfOthers; }

inline timespec read(clockid_t clock) {
  control::assume(control::Assumption::kClocks);  // also before executions differ
  u64 at = start_of(clock) + control::now();
  return {static_cast<time_t>(at / kSecond), static_cast<long>(at % kSecond)};
}

inline bool is_valid(const timespec& time) { return time.tv_nsec >= 0 && time.tv_nsec < 1'000'000'000; }

inline u64 nanoseconds(const timespec& duration) {
  if (duration.tv_sec < 0) return 0;
  if (duration.tv_sec > 4'000'000'000) return u64{4'000'000'000} * kSecond;  // practically unlimited
  return static_cast<u64>(duration.tv_sec) * kSecond + static_cast<u64>(duration.tv_nsec);
}
// A point on a clock as a deadline for control::choose.
inline u64 deadline(clockid_t clock, const timespec& until) {
  u64 at = nanoseconds(until), start = start_of(clock);
  return at > start ? at - start : 0;
}
inline u64 deadline_in(u64 duration) { return control::now() + duration; }

}  // namespace heddle::virtual_time
