// The access path: what every load and store of the program runs. Everything here is counted in instructions.
//
// An access that the task has already made since its last release operation, at least as strongly, to the same bytes
// changes nothing. Each thread remembers what its task has done: words and bytes as bits (AccessSets), all else in a
// small filter (FilterEntry). What is not found there goes to the slow path.
#pragma once

#include "runtime/access/slow_path.hpp"
#include "runtime/state/filter.hpp"

namespace heddle {

// What the bits of a set stand for: the words of a block, or the bytes of a line.
struct Words {
  using Set = BlockSet;
  static constexpr u32 kShift = 2;
  static void first_touch(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
    heddle::first_touch(thread, address, size, flags, pc);
  }
};
struct Bytes {
  using Set = LineSet;
  static constexpr u32 kShift = 0;
  static void first_touch(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
    first_touch_of_bytes(thread, address, size, flags, pc);
  }
};

template <class Unit>
HEDDLE_INLINE void set_keys(UnitSet& set, uptr address, u32 size, AccessKey key) {
  AccessKey* keys = set.keys + (address >> Unit::kShift & 63);
  for (u32 i = 0; i < size >> Unit::kShift; ++i) keys[i] = key;
}

// Whole words of one block. Aligned accesses are; vector loops read sixteen bytes at any multiple of eight.
HEDDLE_INLINE bool of_whole_words(uptr address, u32 size) {
  return (address & (size - 1)) == 0 ||
         ((address & 3) == 0 && (address & (kBlockSize - 1)) + size <= kBlockSize);
}

// Atomics of one granule, and accesses to the thread's own memory.
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
// Units of a set that is the strand's, some of which it has not touched so far, or not as strongly.
template <class Unit>
HEDDLE_INLINE void touch(ThreadState& thread, UnitSet& set, uptr address, u32 size, u64 flags, uptr pc) {
  const bool write = flags & race::kWrite;
  // What was known before is cheaper to find again than to keep: a hook has few registers.
  asm volatile("" : "+r"(address) : : "memory");
  const u64 units = ((u64{1} << (size >> Unit::kShift)) - 1) << (address >> Unit::kShift & 63);
  u64& unknown = write ? set.unwritten : set.unread;
  // From a place that is known, and all of it new (as a single one is): the set and the key of the place are all that
  // is needed.
  if (HEDDLE_LIKELY(size >> Unit::kShift == 1 || (units & ~unknown) == 0)) {
    asm volatile("" : : : "memory");
    const StackId caller = thread.top[-1].stack;
    const ThreadState::SiteCache& site = thread.site_cache[ThreadState::site_slot(caller, pc)];
    if (HEDDLE_LIKELY(site.pc == pc && site.caller == caller)) {
      const bool usual = site.site == (write ? set.write_site : set.read_site);
      if (HEDDLE_LIKELY(usual || set.keys)) {
        ++thread.touches;
        if (!usual) set_keys<Unit>(set, address, size, site.site << 1 | u32{write});
        set.pending |= units;
        unknown ^= units;
        if (write) set.unread &= ~units;
        return;
      }
    }
  }
  Unit::first_touch(thread, address, size, flags, pc);
}

// Plain accesses that are not whole words, or need not be.
HEDDLE_INLINE void access_plain_bytes(ThreadState& thread, uptr address, u32 size, bool write, uptr pc) {
  const u64 flags = race::kPlain | (write ? u64{race::kWrite} : u64{0});
  const u32 first = address & (kLineSize - 1);
  if (size > 1 && HEDDLE_UNLIKELY(first + size > kLineSize))
    return access_range(thread, address, size, flags, pc);
  LineSet& line = line_set(thread.sets, address);
  if (HEDDLE_UNLIKELY(line.tag != tag_of(thread.sets, address)))
    return first_touch_of_bytes(thread, address, size, flags, pc);
  const u64 unknown = (write ? line.unwritten : line.unread) >> first;
  if (HEDDLE_LIKELY((unknown & ((u64{1} << size) - 1)) == 0)) return;
  touch<Bytes>(thread, line, address, size, flags, pc);
}

// REQUIRES: of_whole_words(address, size).
template <Strength strength = Strength::kPlain>
HEDDLE_INLINE void access_whole_words(ThreadState& thread, uptr address, u32 size, bool write, uptr pc) {
  BlockSet& block = block_set(thread.sets, address, strength);
  const u64 flags =
      (strength == Strength::kPlain ? u64{race::kPlain} : u64{0}) | (write ? u64{race::kWrite} : u64{0});
  if (HEDDLE_UNLIKELY(!counts(thread.sets, block.tag, address, write, strength)))
    return first_touch(thread, address, size, flags, pc);
  const u64 unknown = (write ? block.unwritten : block.unread) >> (address >> 2 & 63);
  if (HEDDLE_LIKELY((unknown & ((u64{1} << (size / 4)) - 1)) == 0)) return;
  touch<Words>(thread, block, address, size, flags, pc);
}

// A range of whole words of one block, which is the strand's, from a call site that is known: as touch(). False, and
// nothing is done, if something else is needed. REQUIRES: it is not empty.
HEDDLE_INLINE bool touch_short_range(ThreadState& thread, uptr address, usize size, bool write, uptr pc) {
  BlockSet& block = block_set(thread.sets, address);
  if (!counts(thread.sets, block.tag, address, write)) return false;
  u64 words = ~u64{0} >> (64 - size / 4) << (address >> 2 & 63);
  words &= write ? block.unwritten : block.unread;
  if (!words) return true;
  const StackId caller = thread.top[-1].stack;
  const ThreadState::SiteCache& site = thread.site_cache[ThreadState::site_slot(caller, pc)];
  if (site.pc != pc || site.caller != caller) return false;
  if (site.site != (write ? block.write_site : block.read_site)) {
    if (!block.keys) return false;
    const AccessKey key = site.site << 1 | u32{write};
    for (u64 left = words; left; left &= left - 1) block.keys[__builtin_ctzll(left)] = key;
  }
  ++thread.touches;
  block.pending |= words;
  block.unread &= ~words;
  if (write) block.unwritten &= ~words;
  return true;
}

// Where the words of a range begin that the strand has not touched so far, or not as strongly. REQUIRES: whole words.
HEDDLE_INLINE uptr skip_touched(const ThreadState& thread, uptr begin, uptr end, bool write) {
  while (begin < end) {
    const BlockSet& block = block_set(thread.sets, begin);
    if (block.tag != tag_of(thread.sets, begin)) return begin;
    const uptr stop = (begin | (kBlockSize - 1)) + 1;
    u64 words = ~u64{0} << (begin >> 2 & 63);
    if (end < stop) words &= (u64{1} << (end >> 2 & 63)) - 1;
    if (words & (write ? block.unwritten : block.unread)) return begin;
    begin = stop;
  }
  return end;
}

// Of a range: touches the words of blocks that are the strand's, as touch() does, from call sites that are known.
// Returns where something else is needed. `only_repeated`: touches nothing, for bound accesses, and where only
// annotated data matters.
HEDDLE_INLINE uptr touch_range(ThreadState& thread, uptr begin, uptr end, bool write, bool only_repeated,
                               uptr pc) {
  if ((begin | end) & 3) return begin;
  const StackId caller = thread.top[-1].stack;
  const ThreadState::SiteCache& site = thread.site_cache[ThreadState::site_slot(caller, pc)];
  const bool site_known = site.pc == pc && site.caller == caller && !only_repeated;
  while (begin < end) {
    BlockSet& block = block_set(thread.sets, begin);
    if (!counts(thread.sets, block.tag, begin, write)) return begin;
    const uptr stop = (begin | (kBlockSize - 1)) + 1;
    u64 words = ~u64{0} << (begin >> 2 & 63);
    if (end < stop) words &= (u64{1} << (end >> 2 & 63)) - 1;
    words &= write ? block.unwritten : block.unread;
    if (words) {
      const bool usual = site.site == (write ? block.write_site : block.read_site);
      if (!site_known || (!usual && !block.keys)) return begin;
      if (!usual) set_words(block.keys, words, site.site << 1 | u32{write});
      ++thread.touches;
      block.pending |= words;
      block.unread &= ~words;
      if (write) block.unwritten &= ~words;
    }
    begin = stop;
  }
  return end;
}

}  // namespace heddle
