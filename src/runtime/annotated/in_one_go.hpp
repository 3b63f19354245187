// What a strand did to annotated data in one go, repetitions included, is pending like any first touch. Here it is
// checked with its block.
#pragma once

#include "runtime/state/thread_state.hpp"

namespace heddle::annotated {

// Checks what is pending in the set. `logged`: what the step had written down when the check of the strand began.
void flush(ThreadState& thread, BlockSet& set, u32 logged);

}  // namespace heddle::annotated
