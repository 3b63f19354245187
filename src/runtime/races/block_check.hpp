// The race check of accesses to one block of 256 bytes: against what its granules remember, which then remember them.
//
// Thread safety: whoever calls one of these holds the block (HeldBlock).
#pragma once

#include "runtime/races/strand_context.hpp"

namespace heddle {

// The flags of what is pending in a set.
HEDDLE_INLINE u64 flags_of(const BlockSet& set, bool write) {
  return (set.atomic() ? u64{0} : u64{race::kPlain}) | (write ? u64{race::kWrite} : u64{0});
}

// Reports the races of the access with what the granules remember, and remembers it. The block lies at `base`.
void check_granules(ThreadState& thread, Block& block, uptr base, u32 granules, const race::Access& now);

// The same for words, which were touched from one call site.
void check_words(ThreadState& thread, Block& block, uptr base, u64 words, StackId site, u64 flags);

// The same for all that is pending in the set of its block; `writes` are those of its words that were written.
void check_and_regroup(ThreadState& thread, BlockSet& set, u64 writes);

}  // namespace heddle
