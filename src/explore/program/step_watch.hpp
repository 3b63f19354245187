// Does an execution still make steps? On a busy machine wall time says little, so the limit is the processor time
// that its process uses between two steps. A process that waits in the kernel uses none; its limit is three times as
// much wall time.
#pragma once

#include <sys/types.h>
#include <time.h>

#include <chrono>

#include "base/types.hpp"

namespace heddle::explore {

class StepWatch {
 public:
  explicit StepWatch(double most_seconds) : most_(most_seconds) {}

  // Polled: has `process` made no step for too long?
  bool is_stuck(pid_t process, u32 steps) {
    if (process != process_ || steps != steps_) {
      process_ = process;
      steps_ = steps;
      since_ = Clock::now();
      used_before_ = used_by(process);
      return false;
    }
    const double waited = std::chrono::duration<double>(Clock::now() - since_).count();
    if (waited <= most_) return false;
    return used_by(process) - used_before_ > most_ || waited > kWaiting * most_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kWaiting = 3;

  // Processor time in seconds; 0 if there is no such process.
  static double used_by(pid_t process) {
    clockid_t clock = 0;
    timespec used{};
    if (process == 0 || clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0)
      return 0;
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
  }

  double most_;
  pid_t process_ = 0;
  u32 steps_ = 0;
  Clock::time_point since_ = Clock::now();
  double used_before_ = 0;
};

}  // namespace heddle::explore
