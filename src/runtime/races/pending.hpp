// First touches that are pending: the sets of blocks that hold them, and the race check of all of them at once.
//
// REQUIRED before anything that ends the strand or changes what it knows or holds: flush_pending. A RuntimeScope calls
// it. Thread safety: the thread's own.
#pragma once

#include "runtime/shadow/block_words.hpp"
#include "runtime/state/process.hpp"

namespace heddle {

// Checks the first touches that the current strand has made so far.
void flush_pending(ThreadState& thread);
// Those to this range only.
void flush_pending(ThreadState& thread, uptr begin, uptr end);
// The current task ends, and with it the life of this memory (its frames, its descriptor): what its last strand did
// there need neither be checked nor remembered where nobody else has been. REQUIRES: the memory is forgotten before
// anything else runs.
void drop_pending(ThreadState& thread, uptr begin, uptr end);

// Checks what is pending in the set.
void flush_block(ThreadState& thread, BlockSet& set);
// Bytes of one granule, at once.
void check_bytes(ThreadState& thread, Block& block, uptr granule, u64 bytes, u64 flags, StackId site);

// For a set that has nothing pending so far, and will.
void make_dirty(ThreadState& thread, BlockSet& set);
void nothing_pending(BlockSet& set);
// Keys for the words of a dirty set that has none yet. There is room: sets become dirty more often than they need it.
AccessSets::Keys& add_keys(ThreadState& thread);

// REQUIRES: nothing is pending, and the shadow is that of the address.
HEDDLE_INLINE void hand_over(ThreadState& thread, BlockSet& set, uptr address) {
  set.unread = set.unwritten = ~u64{0};
  set.tag = tag_of(thread.sets, address);
  const uptr base = block_base(set);
  if (HEDDLE_UNLIKELY(base < thread.stack_touched) && address >= thread.stack_low &&
      address < thread.stack_high)
    thread.stack_touched = base;
}
// Makes the set the current strand's, for the block of the address. False for addresses no program can have.
bool claim_set(ThreadState& thread, BlockSet& set, uptr address);
// The current task's set of the block with this address, made its own if it was another block's. Null for addresses no
// program can have. A set that was marked while the process was quiescent has no shadow.
HEDDLE_INLINE BlockSet* set_of(ThreadState& thread, uptr address) {
  BlockSet& set = block_set(thread.sets, address);
  const bool claimed = set.tag == tag_of(thread.sets, address) && set.shadow;
  return HEDDLE_LIKELY(claimed) || claim_set(thread, set, address) ? &set : nullptr;
}

}  // namespace heddle
