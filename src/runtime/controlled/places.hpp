// Under the verification runtime: places of the program's code at which an actor is to stop before it accesses memory.
// `heddle confirm` steers by them, `heddle replay` follows schedules that name them (control/steering.hpp).
//
// Every access must come to the slow path then, so nothing that a strand has touched is remembered from one access to
// the next.
#pragma once

#include "control/board.hpp"
#include "runtime/state/thread_state.hpp"

namespace heddle::places {

extern bool g_any;

// Before an access: what is to be done there, if it is at one of the places. REQUIRES: g_any, thread.active.
using StopAt = void (*)(ThreadState& thread, uptr address, usize size, u64 flags, uptr pc);
extern StopAt stop_at;

// Where executions part, by the initial thread: from here on the places of the board count. Without `instead`, an
// access there is a choice point of the verification runtime, or is only noted where all orders are explored.
void load(control::Board& board, StopAt instead = nullptr);
// The strand's next access comes to the slow path, whatever it is.
void forget_marks(ThreadState& thread);

}  // namespace heddle::places
