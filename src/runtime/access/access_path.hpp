// The access path: what every load and store of the program runs. Everything here is counted in instructions.
//
// An access that the same strand has already made, at least as strongly, to the same bytes changes nothing. Each thread
// remembers what its strand has done: aligned words as bits (AccessSets), all else in a small filter (FilterEntry).
// What is not found there goes to first_touch() or access_bytes().
#pragma once

#include "runtime/access/slow_path.hpp"
#include "runtime/state/filter.hpp"

namespace heddle {

HEDDLE_INLINE void set_keys(BlockSet& block, uptr address, u32 size, AccessKey key) {
  AccessKey* keys = block.keys + (address >> 2 & (AccessSets::kWords - 1));
  for (u32 i = 0; i < size / 4; ++i) keys[i] = key;
}

// Whole words of one block. Aligned accesses are; vector loops read sixteen bytes at any multiple of eight.
HEDDLE_INLINE bool of_whole_words(uptr address, u32 size) {
  return (address & (size - 1)) == 0 ||
         ((address & 3) == 0 && (address & (kBlockSize - 1)) + size <= kBlockSize);
}

// Bytes, atomics, and words that are not aligned.
HEDDLE_INLINE void access_small(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  u32 offset = address & 7;
  if (HEDDLE_LIKELY(offset + size <= 8)) {
    uptr granule = address >> 3;
    u64 demand = filter_demand(offset, size, flags);
    const FilterEntry& entry = filter_entry(thread, granule);
    // The same key, and every bit of the demand is there.
    u64 missing = (entry.what ^ (filter_key(granule, flags) | demand)) & (~u64{0} << kFilterShift | demand);
    if (HEDDLE_LIKELY(missing == 0 && entry.marked == thread.marked)) return;
    return access_bytes(thread, address, size, flags, pc);
  }
  access_range(thread, address, size, flags, pc);
}
// Words of a block that is the strand's, some of which it has not touched so far, or not as strongly.
HEDDLE_INLINE void touch(ThreadState& thread, BlockSet& block, uptr address, u32 size, bool write, uptr pc) {
  // What was known before is cheaper to find again than to keep: a hook has few registers.
  asm volatile("" : "+r"(address) : : "memory");
  const u64 units = ((u64{1} << (size / 4)) - 1) << (address >> 2 & 63);
  u64& unknown = write ? block.unwritten : block.unread;
  // From a place that is known, and all of it new (as a single word is): the set and the key of the place are all that
  // is needed.
  if (HEDDLE_LIKELY(size == 4 || (units & ~unknown) == 0)) {
    asm volatile("" : : : "memory");
    const StackId caller = thread.top[-1].stack;
    const ThreadState::SiteCache& site = thread.site_cache[ThreadState::site_slot(caller, pc)];
    if (HEDDLE_LIKELY(site.pc == pc && site.caller == caller)) {
      const bool usual = site.site == (write ? block.write_site : block.read_site);
      if (HEDDLE_LIKELY(usual || block.keys)) {
        ++thread.touches;
        if (!usual) set_keys(block, address, size, site.site << 1 | u32{write});
        block.pending |= units;
        unknown ^= units;
        if (write) block.unread &= ~units;
        return;
      }
    }
  }
  first_touch(thread, address, size, write ? u64{race::kPlain | race::kWrite} : u64{race::kPlain}, pc);
}

// REQUIRES: of_whole_words(address, size).
HEDDLE_INLINE void access_whole_words(ThreadState& thread, uptr address, u32 size, bool write, uptr pc) {
  BlockSet& block = block_set(thread.sets, address);
  if (HEDDLE_UNLIKELY(block.tag != tag_of(thread.sets, address)))
    return first_touch(thread, address, size, write ? u64{race::kPlain | race::kWrite} : u64{race::kPlain},
                       pc);
  const u64 unknown = (write ? block.unwritten : block.unread) >> (address >> 2 & 63);
  if (HEDDLE_LIKELY((unknown & ((u64{1} << (size / 4)) - 1)) == 0)) return;
  touch(thread, block, address, size, write, pc);
}

// Of a range: where what the strand has not touched so far, or not as strongly, may begin.
HEDDLE_INLINE uptr touched_up_to(const ThreadState& thread, uptr begin, uptr end, bool write) {
  if ((begin | end) & 3) return begin;
  while (begin < end) {
    const BlockSet& block = block_set(thread.sets, begin);
    const uptr stop = (begin | (kBlockSize - 1)) + 1;
    u64 unknown = (write ? block.unwritten : block.unread) & ~u64{0} << (begin >> 2 & 63);
    if (end < stop) unknown &= (u64{1} << (end >> 2 & 63)) - 1;
    if (block.tag != tag_of(thread.sets, begin) || unknown) return begin;
    begin = stop;
  }
  return end;
}

}  // namespace heddle
