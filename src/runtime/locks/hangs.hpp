// Where each thread of an ordinary run stands when that is to be ended: the tool asks by a signal (`heddle run
// --timeout`, or all threads wait and none of them can wake another).
#pragma once

#include "runtime/state/thread_state.hpp"
#include "runtime/tables/sync_table.hpp"

namespace heddle::hangs {

// Waits for the tool's signal from here on. Only where there is a raw log, and not under the verification runtime.
void start();

// The program has a signal handler of its own: it may wake a waiting thread.
void note_handler();

// The thread is about to wait for a lock that it holds itself, and so forever: written at once.
void waits_for_itself(ThreadState& thread, uptr lock, LockKind kind, uptr pc);

}  // namespace heddle::hangs
