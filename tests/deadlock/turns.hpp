// Keeps a run from the deadlock that is to be found: what is done in turns comes one after the other, and yet
// unordered, since relaxed operations order nothing.
#ifndef HEDDLE_TESTS_DEADLOCK_TURNS_HPP
#define HEDDLE_TESTS_DEADLOCK_TURNS_HPP

#include <sched.h>

#include <atomic>

class Turn {
 public:
  // 0 comes first.
  explicit Turn(int number) {
    while (done_.load(std::memory_order_relaxed) < number) sched_yield();
  }
  ~Turn() { done_.fetch_add(1, std::memory_order_relaxed); }

 private:
  static inline std::atomic<int> done_{0};
};

#endif
