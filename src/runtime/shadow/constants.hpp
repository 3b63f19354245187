// Read-only memory of the executable: its code, its constants, its string literals. What is read there
// cannot race, and need not be remembered. (That of libraries is checked as any other memory.)
#pragma once

#include "base/types.hpp"

namespace heddle::constants {

extern uptr g_begin, g_size;

// REQUIRES: no other thread yet.
void find();

HEDDLE_INLINE bool contain(uptr address) { return address - g_begin < g_size; }

}  // namespace heddle::constants
