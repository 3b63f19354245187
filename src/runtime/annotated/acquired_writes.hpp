// Writes to annotated data that a step knows of only by an atomic operation on the data itself.
#pragma once

#include "runtime/state/thread_state.hpp"

namespace heddle::annotated {

// Before the current task acquires what an atomic variable carries, and afterwards. Who wrote to annotated data
// there, and is known only then, might as well have come between two accesses of the step: what orders the two is the
// variable itself.
void before_acquire(ThreadState& thread, uptr address, u32 size);
void after_acquire(ThreadState& thread);

}  // namespace heddle::annotated
