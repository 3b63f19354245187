// Does a process hang? It does if each of its threads waits on a futex without a time limit, the process handles no
// signal, and none of its threads has run since the last check: then only another process could wake it.
//
// If the kernel does not show the state (containers, hardened kernels), the process counts as running.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

namespace heddle::launch {

class HangWatch {
 public:
  explicit HangWatch(pid_t process) : process_(process) {}

  // For how long it has hung. To be called repeatedly; checks only a few times a second.
  double seconds();

 private:
  using Clock = std::chrono::steady_clock;

  const pid_t process_;
  Clock::time_point next_look_ = Clock::now(), since_ = Clock::now();
  std::string before_;  // the state of all threads; empty: some run
};

// The state of all threads, as a text that changes whenever one has run; empty if one of them runs, or can be woken
// by a timeout or a signal. `folder` is that of the process in /proc.
std::string how_threads_wait(const std::string& folder);

}  // namespace heddle::launch
