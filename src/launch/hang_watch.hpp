// Does a process hang? Each of its threads waits for a word of memory to change (a futex) without a time limit, the
// process handles no signal, and none of its threads has run since it was last looked at: then only another process
// could let it go on.
//
// What the kernel does not let be read (containers, hardened kernels) is taken for running.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

namespace heddle::launch {

class HangWatch {
 public:
  explicit HangWatch(pid_t process) : process_(process) {}

  // For how long it has been so. To be called again and again; looks only a few times a second.
  double seconds();

 private:
  using Clock = std::chrono::steady_clock;

  const pid_t process_;
  Clock::time_point next_look_ = Clock::now(), since_ = Clock::now();
  std::string before_;  // how all threads stood; empty: some run
};

// How each thread stands, in words that change whenever one has run; empty if one of them runs, or may be woken by
// time or a signal. `folder` is that of the process in /proc.
std::string how_threads_wait(const std::string& folder);

}  // namespace heddle::launch
