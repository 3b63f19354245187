// Makes a run have the deadlock that is to be found, and ends it: each holds its first lock before anybody wants its
// second one, and soon after somebody sends SIGTERM, as an impatient user would.
#ifndef HEDDLE_TESTS_DEADLOCK_HAPPENS_HPP
#define HEDDLE_TESTS_DEADLOCK_HAPPENS_HPP

#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <thread>

inline std::atomic<int> have_arrived{0};

// The two of a cycle, or all three, hold their first locks. Relaxed operations order nothing.
inline void everybody_has_one(int count) {
  have_arrived.fetch_add(1, std::memory_order_relaxed);
  while (have_arrived.load(std::memory_order_relaxed) < count) sched_yield();
}

inline void end_when_all_wait(int count) {
  std::thread([count] {
    while (have_arrived.load(std::memory_order_relaxed) < count) sched_yield();
    usleep(300'000);  // from there to the lock it is a few microseconds, or a few turns of a busy machine
    kill(getpid(), SIGTERM);
  }).detach();
}

#endif
