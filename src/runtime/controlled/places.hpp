// Under the verification runtime: places of the program's code at which an actor is to stop before it accesses memory. `heddle confirm`
// steers by them, `heddle replay` follows schedules that name them (control/steering.hpp).
//
// Every access must come to the slow path then, so nothing that a strand has touched is remembered from one access to the next.
#pragma once

#include "control/board.hpp"
#include "runtime/state/thread_state.hpp"

namespace heddle::places {

extern bool g_any;

// Where executions part, by the initial thread: from here on those of the board count.
void load(control::Board& board);

// REQUIRES: thread.stops_at_places, thread.active. A choice point if the access is at one of the places.
void stop_at(ThreadState& thread, uptr address, usize size, u64 flags, uptr pc);
// The strand's next access comes to the slow path, whatever it is.
void forget_marks(ThreadState& thread);

}  // namespace heddle::places
