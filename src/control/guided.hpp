// The scheduler that follows a board (control/board.hpp): step by step while the prefix lasts, then as the board's
// strategy chooses (control/steering.hpp) or greedily, without those that are to be avoided; when nobody else is left
// it asks.
#pragma once

#include "control/board.hpp"
#include "control/strategy.hpp"

namespace heddle::control {

// From here on the board decides. `socket`: where to ask; -1: nobody is avoided.
void follow(Board* board, int socket);
Board* board();

// To be called at the start of each step (control::on_step).
void note_step(Actor* actor, const Pending& pending);

// For control::on_end: who could not go on might in another order. Of one that goes on for ever, not all orders can be
// explored.
void note_end(bool endless);
// Writes how the execution ended, and ends the process.
[[noreturn]] void end_execution(BoardEnd end);
// What comes next has orders that the exploration would not see.
[[noreturn]] void give_up(const char* why);

}  // namespace heddle::control
