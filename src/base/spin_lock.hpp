// A lock for sections of a few dozen instructions inside the target program. It calls no functions of the C library,
// because those are intercepted. After a short spin it gives up its time slice: machines have fewer cores than threads.
#pragma once

#include <atomic>

#include "base/system_call.hpp"

namespace heddle {

class SpinLock {
 public:
  void lock() {
    for (int spins = 0; held_.exchange(true, std::memory_order_acquire); ++spins) {
      while (held_.load(std::memory_order_relaxed)) {
        if (++spins > 64)
          system_call(SYS_sched_yield);
        else
          __builtin_ia32_pause();
      }
    }
  }
  // Gives up after a while: the holder may be the code that the caller, a signal handler, has interrupted.
  bool lock_or_give_up() {
    constexpr int kAttempts = 2000;
    for (int i = 0; i < kAttempts; ++i) {
      if (try_lock()) return true;
      system_call(SYS_sched_yield);
    }
    return false;
  }
  bool try_lock() { return !held_.exchange(true, std::memory_order_acquire); }
  void unlock() { held_.store(false, std::memory_order_release); }
  bool held() const { return held_.load(std::memory_order_acquire); }

 private:
  std::atomic<bool> held_{false};
};

class SpinGuard {
 public:
  explicit SpinGuard(SpinLock& lock) : lock_(lock) { lock_.lock(); }
  ~SpinGuard() { lock_.unlock(); }
  SpinGuard(const SpinGuard&) = delete;
  SpinGuard& operator=(const SpinGuard&) = delete;

 private:
  SpinLock& lock_;
};

}  // namespace heddle
