// The scheduler that follows a board (control/board.hpp): step by step in the prefix, then as the board's strategy
// chooses (control/steering.hpp) or greedily, without the actors to avoid; if no other is enabled, it asks the tool.
#pragma once

#include "control/board.hpp"
#include "control/strategy.hpp"

namespace heddle::control {

// From now on the board decides. `socket`: where to ask; -1: no actor is avoided.
void follow(Board* board, int socket);
Board* board();

// To be called at the start of each step (control::on_step).
void note_step(Actor* actor, const Pending& pending);

// For control::on_end: a blocked actor might be enabled in another order. If an actor runs forever, not all orders
// can be explored.
void note_end(bool endless);
// Writes how the execution ended, and ends the process.
[[noreturn]] void end_execution(BoardEnd end);
// Ends the exploration: what follows has orders that it would not see.
[[noreturn]] void give_up(const char* why);
// The same, but only if it is one: a replay continues.
void give_up_exploring(const char* why);

}  // namespace heddle::control
