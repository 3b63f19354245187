// Accesses that come between the two of a pair.
//
// Thread safety: for the holder of the block.
#pragma once

#include "runtime/shadow/shadow.hpp"
#include "runtime/state/thread_state.hpp"

namespace heddle::annotated {

// The access is new to these granules: does it come between the accesses of a pair?
void intrude(ThreadState& thread, Block& block, uptr base, u32 granules, const race::Access& now);

// The two race: does one come between two accesses of which the other is one?
void race_with_pairs(ThreadState& thread, uptr block, u32 granules, const race::Access& earlier,
                     const race::Access& now, race::Evidence evidence);

}  // namespace heddle::annotated
