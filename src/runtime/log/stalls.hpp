// Lines of type stall: the state of all threads when none is enabled, or when the run is to be ended.
#pragma once

#include "control/strategy.hpp"
#include "runtime/state/thread_state.hpp"
#include "runtime/tables/sync_table.hpp"

namespace heddle::raw_log {

// Under the verification runtime: no actor is enabled. What every actor waits for, with its stack. Called by the
// detecting thread, while all others stand still.
void stall(control::Stall kind);

// What a thread waits for that waits for itself; 0: it does not.
struct OwnLock {
  uptr lock = 0;
  LockKind kind = LockKind::kMutex;
  uptr pc = 0;
};
// In an ordinary run: every thread, or only this one.
void hang(const char* kind, ThreadState* only, OwnLock (*own_lock)(const ThreadState&));

}  // namespace heddle::raw_log
