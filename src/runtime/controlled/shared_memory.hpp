// Files without a name that the tool made, mapped into the program.
#pragma once

#include "base/types.hpp"
#include "control/board.hpp"

namespace heddle {

// Maps it and closes the descriptor; null if that is not possible.
void* map_shared(int descriptor, usize size);
// Null if it is none of this version.
control::Board* map_board(int descriptor);

}  // namespace heddle
