// The access sets of blocks: first touches that are pending as words, and the race check of all those of a block at
// once.
//
// Thread safety: the thread's own.
#pragma once

#include "runtime/races/shared_marks.hpp"
#include "runtime/shadow/block_words.hpp"
#include "runtime/state/process.hpp"

namespace heddle {

// Checks what is pending in the set; in all sets.
void flush_block(ThreadState& thread, BlockSet& set);
void flush_blocks(ThreadState& thread);
// Bytes of one granule, at once.
void check_bytes(ThreadState& thread, Block& block, uptr granule, u64 bytes, u64 flags, StackId site);

// From now on each unit has a key of its own.
void spell_out(UnitSet& set, AccessKey* keys);

// These units are pending from now on. `make_keys` makes room for the key of each, if they need it.
template <class MakeKeys>
HEDDLE_INLINE void pend(UnitSet& set, u64 units, bool write, StackId site, MakeKeys make_keys) {
  if (!set.keys) {
    StackId& common = write ? set.write_site : set.read_site;
    if (!common) common = site;
    if (common != site) spell_out(set, make_keys());
  }
  if (set.keys)
    for (u64 left = units; left; left &= left - 1) set.keys[__builtin_ctzll(left)] = site << 1 | u32{write};
  set.pending |= units;
  set.unread &= ~units;
  if (write) set.unwritten &= ~units;
}

// For a set that has nothing pending so far, and will.
void make_dirty(ThreadState& thread, BlockSet& set);
void nothing_pending(BlockSet& set);
// Keys for the words of a dirty set that has none yet. There is room: sets become dirty more often than they need it.
AccessSets::Keys& add_keys(ThreadState& thread);

// REQUIRES: nothing is pending, and the shadow is that of the address.
HEDDLE_INLINE void hand_over(ThreadState& thread, BlockSet& set, uptr address, bool write,
                             Strength strength = Strength::kPlain) {
  set.unread = set.unwritten = ~u64{0};
  set.mixed = shares_marks(thread) && may_have_written(thread, address);
  set.tag = number_of(address, strength) | (write || set.mixed ? thread.sets.stamp : thread.sets.read_stamp);
  if (strength == Strength::kAtomic) thread.sets.atomics_stamp = thread.sets.stamp;
  const uptr base = block_base(set);
  if (HEDDLE_UNLIKELY(base < thread.stack_touched) && address >= thread.stack_low &&
      address < thread.stack_high)
    thread.stack_touched = base;
}
// Makes the set the current strand's, for the block of the address. False for addresses no program can have.
bool claim_set(ThreadState& thread, BlockSet& set, uptr address, bool write, Strength strength);
// The current task's set of the block with this address, made its own if it was another block's; for a write, one whose
// marks count for writes. Null for addresses no program can have. A set that was marked while the process was quiescent
// has no shadow.
HEDDLE_INLINE BlockSet* set_of(ThreadState& thread, uptr address, bool write,
                               Strength strength = Strength::kPlain) {
  BlockSet& set = block_set(thread.sets, address, strength);
  const bool claimed = counts(thread.sets, set.tag, address, write, strength) && set.shadow;
  return HEDDLE_LIKELY(claimed) || claim_set(thread, set, address, write, strength) ? &set : nullptr;
}

// The sets of the block with this address: of plain accesses, and of atomic ones if the strand has any such set.
template <class Visit>
HEDDLE_INLINE void for_each_set(ThreadState& thread, uptr address, Visit visit) {
  AccessSets& sets = thread.sets;
  for (Strength strength : {Strength::kPlain, Strength::kAtomic}) {
    if (strength == Strength::kAtomic && HEDDLE_LIKELY(sets.atomics_stamp != sets.stamp)) return;
    BlockSet& set = block_set(sets, address, strength);
    if ((set.tag & AccessSets::kNumber) == number_of(address, strength)) visit(set);
  }
}

}  // namespace heddle
