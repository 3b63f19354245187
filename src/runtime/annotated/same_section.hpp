// Accesses of a strand to annotated data within the same critical section (no lock acquired or released in between),
// repetitions included, are pending like any first access. Here they are checked with their block.
#pragma once

#include "runtime/state/thread_state.hpp"

namespace heddle::annotated {

// Checks the pending accesses of the set. `logged`: the length of the step's log when the check of the strand began.
void flush(ThreadState& thread, BlockSet& set, u32 logged);

}  // namespace heddle::annotated
