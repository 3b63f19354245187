// The race verdict on granules of one block, for those who bring accesses to it.
#pragma once

#include "runtime/runtime.hpp"

namespace heddle {

// Reports the races of the access with what the granules remember, and remembers it. REQUIRES: the block, at this address, is held.
void judge(ThreadState& thread, Block& block, uptr base, u32 granules, const race::Access& now);

}  // namespace heddle
