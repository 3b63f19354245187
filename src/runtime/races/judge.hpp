// The race verdict on granules of one block, and the set of what was touched there, for those who bring accesses to it.
#pragma once

#include "runtime/runtime.hpp"

namespace heddle {

// Reports the races of the access with what the granules remember, and remembers it. REQUIRES: the block, at this address, is held.
void judge(ThreadState& thread, Block& block, uptr base, u32 granules, const race::Access& now);

// The current task's set of the block with this address, made its own if it was another block's. Null for addresses no program can have.
BlockSet* set_of_block(ThreadState& thread, uptr address);

// Judges what is pending in the set.
void judge_block(ThreadState& thread, BlockSet& set);

// For a set that has nothing pending so far, and will.
void make_dirty(ThreadState& thread, BlockSet& set);
// Keys for the words of a dirty set that has none yet.
AccessSets::Keys& add_keys(ThreadState& thread);

}  // namespace heddle
