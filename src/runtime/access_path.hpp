// The access path: what every load and store of the program runs. Everything here is counted in instructions.
//
// An access that the same strand has already made, at least as strongly, to the same bytes changes nothing. Each thread remembers
// what its strand has done: aligned words as bits (AccessSets), all else in a small filter (FilterEntry). What is not found there
// goes to access_slow().
#pragma once

#include "runtime/runtime.hpp"

namespace heddle {

HEDDLE_INLINE BlockSet& block_set(const AccessSets& sets, uptr address) {
  return sets.blocks[(address >> AccessSets::kBlockShift) % AccessSets::kBlocks];
}
HEDDLE_INLINE u64 tag_of(const AccessSets& sets, uptr address) {
  return address >> AccessSets::kBlockShift << AccessSets::kStampBits | sets.stamp;
}

constexpr u32 kFilterShift = 16;
HEDDLE_INLINE FilterEntry& filter_entry(ThreadState& thread, uptr granule) {
  return thread.filter[granule % ThreadState::kFilter];
}

HEDDLE_INLINE void access(uptr address, u32 size, u64 flags, uptr pc) {
  ThreadState* thread = t_self;
  if (HEDDLE_UNLIKELY(!thread)) return;
  if (size >= 4 && (flags & race::kPlain) && HEDDLE_LIKELY((address & (size - 1)) == 0)) {
    const BlockSet& block = block_set(thread->sets, address);
    u64 known = (flags & race::kWrite ? block.written : block.read) >> ((address >> 2) & 63);
    u64 units = (u64{1} << (size / 4)) - 1;
    if (HEDDLE_LIKELY((~known & units) == 0 && block.tag == tag_of(thread->sets, address))) return;
    if (size <= 8) return access_slow(*thread, address, size, flags, pc);
    return access_range(*thread, address, size, flags, pc);
  }
  u32 offset = address & 7;
  if (HEDDLE_LIKELY(offset + size <= 8)) {
    uptr granule = address >> 3;
    u64 demand = flags | u64{((1u << size) - 1)} << (offset + race::kBytesShift);
    const FilterEntry& entry = filter_entry(*thread, granule);
    // Equal granule, and every bit of the demand is there.
    u64 missing = (entry.what ^ (granule << kFilterShift | demand)) & (~u64{0} << kFilterShift | demand);
    if (HEDDLE_LIKELY(missing == 0 && entry.strand == thread->strand)) return;
    return access_slow(*thread, address, size, flags, pc);
  }
  access_range(*thread, address, size, flags, pc);
}

}  // namespace heddle
