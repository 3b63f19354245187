// What ended threads leave for those to come.
#pragma once

#include "runtime/state/thread_state.hpp"

namespace heddle::spare_states {

constexpr u32 kUsualThreads = 8;  // where there are more than processors, most of them idle

// A state that an ended thread left, with its tables; a new one without tables if there is none.
ThreadState* take();
// False: there are enough of them, and the state is still the caller's. Those of recorded threads have no tables of
// their own, and cost little.
bool keep(ThreadState& thread, bool recorded);

}  // namespace heddle::spare_states
