// A new board, mapped here and to be inherited by a program.
#pragma once

#include <span>

#include "control/board.hpp"
#include "support/result.hpp"

namespace heddle::explore {

// A copy of `descriptor` far from the numbers that programs close or expect. Returns `descriptor` itself if that
// fails.
int far_away(int descriptor);

struct SharedBoard {
  int descriptor = -1;
  control::Board* board = nullptr;
};
// The caller owns both.
Result<SharedBoard> make_board();

// False: there are too many.
bool put_places(control::Board& board, std::span<const control::Place> places);

}  // namespace heddle::explore
