// Active Testing on the program's own runtime, for programs that cannot run on the verification runtime: real threads
// are held back before the accesses or acquisitions of a finding, for a while, until the threads that are to meet
// there have come (RaceFuzzer, Sen 2008; DeadlockFuzzer, Joshi et al. 2009; as CalFuzzer and Thrille do it). What is
// to be done is on the board (control/steering.hpp), and so is what came of it.
//
// It is unknown which threads could still come, so a pause times out; sites with failed pauses are paused less often
// (backoff). Thread safety: any thread.
#pragma once

#include "runtime/state/thread_state.hpp"

namespace heddle::pauses {

extern bool g_on;

// If the tool has given a board: from here on threads are held back. REQUIRES: the calling thread is attached.
void attach();

// Before it tries to take the lock at this address.
void at_acquisition(ThreadState& thread, uptr address, uptr pc);

}  // namespace heddle::pauses
