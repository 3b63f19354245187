#include "runtime/races/block_check.hpp"

#include "runtime/shadow/block_words.hpp"

namespace heddle {
namespace {

using race::Access;

// The first touch of a granule after its heap block was freed: the free comes before it.
HEDDLE_NOINLINE void recall_free(Block& block, uptr base, u32 granules) {
  for (u32 left = block.freed & granules; left; left &= left - 1) {
    HeapBlock heap = rt().heap.around(base + static_cast<u32>(__builtin_ctz(left)) * 8u);
    if (!heap.freed) continue;
    block.remembers.update(left & -left, [&](race::Cell& cell, u32) {
      if (cell.empty()) cell.first = heap.freed_by;
    });
  }
  block.freed &= ~granules;
}

// What some granules remember, and the access that they share.
HEDDLE_INLINE void check_cell(ThreadState& thread, StrandContext& context, race::Cell& cell, u32 granules,
                              const Access& now) {
  if (HEDDLE_LIKELY(Checker::check_few(cell, now, context))) return;
  context.granules = granules;
  context.reported = false;
  // Parts of one granule, or one with a list that hardly another one has: there will be no second that is alike.
  // Verdicts refer to a list, too: with each of them it would be copied for each access.
  constexpr u32 kHardlyShared = 3;
  if (!(granules & (granules - 1)) && (now.bytes() != 0xff || cell.has_list_shared_by_few(kHardlyShared))) {
    if (!Checker::check_again(cell, now, context)) Checker::check_all(cell, now, context);
    return;
  }
  Verdict& known = thread.verdicts[Verdict::slot(cell, now)];
  if (known.is_for(cell, now, thread.stamp)) {
    if (cell == known.after) return;
    race::retain(known.after);
    race::release(cell);
    cell = known.after;
    return;
  }
  race::Cell before = cell;
  race::retain(before);
  Checker::check_all(cell, now, context);
  // What was reported depends on more than the cell: on where it is.
  if (context.reported)
    race::release(before);
  else
    known.remember(before, now, cell, thread.stamp);
}

// Few granules, or one, are often all that an access changes: done in place. False: there is more to it.
HEDDLE_INLINE bool check_in_place(Block& block, StrandContext& context, u32 granule, const Access& now) {
  if (!(block.remembers.touched() >> granule & 1)) return block.remembers.store(1u << granule, now);
  return block.remembers.update_alone(granule, [&](race::Cell& cell) {
    return Checker::check_few(cell, now, context) || Checker::check_again(cell, now, context);
  });
}
void check_cells(ThreadState& thread, Block& block, StrandContext& context, u32 granules, const Access& now) {
  block.remembers.update(granules,
                         [&](race::Cell& cell, u32 those) { check_cell(thread, context, cell, those, now); });
}

}  // namespace

void check_granules(ThreadState& thread, Block& block, uptr base, u32 granules, const Access& now) {
  if (HEDDLE_UNLIKELY(block.freed & granules)) recall_free(block, base, granules);
  block.common_reads &= ~granules;
  StrandContext context(thread, base);
  if (HEDDLE_UNLIKELY(g_observer != nullptr)) {
    check_cells(thread, block, context, granules, now);
    return g_observer->checked(thread, block, base, granules, now);
  }
  if (!(granules & (granules - 1))) {
    if (check_in_place(block, context, static_cast<u32>(__builtin_ctz(granules)), now)) return;
  } else if (const u32 untouched = granules & ~block.remembers.touched();
             untouched && block.remembers.store(untouched, now)) {
    granules &= ~untouched;
    if (!granules) return;
  }
  check_cells(thread, block, context, granules, now);
}

// REQUIRES: the block is held. A granule has two words.
void check_words(ThreadState& thread, Block& block, uptr base, u64 words, StackId site, u64 flags) {
  u32 low = ~0u, high = ~0u;
  u32 first = static_cast<u32>(__builtin_ctzll(words)) & 62;
  if (words == u64{3} << first) {
    low = high = 1u << first / 2;
  } else if (words != ~u64{0}) {
    low = even_bits(words);
    high = even_bits(words >> 1);
  }
  u64 what = thread.what | race::what_word(site, 0, 0, flags);
  auto check_bytes = [&](u32 granules, u64 bytes) {
    if (granules)
      check_granules(thread, block, base, granules, {thread.strand, what | bytes << race::kBytesShift});
  };
  check_bytes(low & high, 0xff);
  if (HEDDLE_LIKELY(low == high)) return;
  check_bytes(low & ~high, 0x0f);
  check_bytes(high & ~low, 0xf0);
}

namespace {

// One site for all pending words, or one pattern of sites. 0: neither.
StackId site_of_all(ThreadState& thread, const BlockSet& set) {
  const AccessKey first = set.keys[__builtin_ctzll(set.pending)];
  const AccessKey last = set.keys[63 - __builtin_clzll(set.pending)];
  if (first == last && units_with(set, first) == set.pending) return first >> 1;
  // A walk leaves the same pattern in block after block.
  if (thread.last_pattern && has_keys(set, rt().patterns.keys(thread.last_pattern)))
    return thread.last_pattern;
  const u32 hash = hash_keys(set);
  ThreadState::Pattern& known = thread.patterns[hash % ThreadState::kPatterns];
  if (known.hash != hash) {
    known = {hash, 0};
    return 0;
  }
  if (known.pattern && has_keys(set, rt().patterns.keys(known.pattern)))
    return thread.last_pattern = known.pattern;
  if (rt().patterns.full()) return 0;
  // Met again: worth a number.
  StackId pattern = rt().patterns.intern(set.keys, hash);
  if (pattern) known.pattern = pattern;
  return pattern;
}

// One granule after the other: where each has its own cell and its own key anyway, or where they are few, to sort the
// words by their keys would only cost.
void check_one_by_one(ThreadState& thread, BlockSet& set, u64 writes) {
  Block& block = *set.shadow;
  const uptr base = block_base(set);
  StrandContext context(thread, base);
  auto check = [&](u32 granule, AccessKey key, u64 bytes) {
    const u64 what = thread.what | race::what_word(key >> 1, 0, 0, flags_of(set, key & 1));
    const Access now{thread.strand, what | bytes << race::kBytesShift};
    if (!check_in_place(block, context, granule, now))
      check_cells(thread, block, context, 1u << granule, now);
  };
  for_each_granule(set.pending, [&](u32 granule, u32 words) {
    auto key_of = [&](u32 half) {
      if (set.keys) return set.keys[2 * granule + half];
      return writes >> (2 * granule + half) & 1 ? set.write_site << 1 | 1 : set.read_site << 1;
    };
    if (words != 3) {
      check(granule, key_of(words >> 1), bytes_of_halves(words));
    } else if (const AccessKey low = key_of(0), high = key_of(1); low == high) {
      check(granule, low, 0xff);
    } else {
      check(granule, low, 0x0f);
      check(granule, high, 0xf0);
    }
    return true;
  });
}

void check_pending_words(ThreadState& thread, BlockSet& set, u64 writes) {
  Block& block = *set.shadow;
  const uptr base = block_base(set);
  auto check_both = [&](StackId reads_from, StackId writes_from) {
    const u64 reads = set.pending & ~writes;
    if (reads) check_words(thread, block, base, reads, reads_from, flags_of(set, false));
    if (writes) check_words(thread, block, base, writes, writes_from, flags_of(set, true));
  };
  if (!set.keys) return check_both(set.read_site, set.write_site);
  if (StackId site = site_of_all(thread, set)) return check_both(site, site);
  const u64 all = set.pending;
  for (u64 left = all; left; left = set.pending) {
    AccessKey key = set.keys[__builtin_ctzll(left)];
    u64 words = units_with(set, key);
    check_words(thread, block, base, words, key >> 1, flags_of(set, key & 1));
    set.pending &= ~words;
  }
  set.pending = all;
}

}  // namespace

void check_and_regroup(ThreadState& thread, BlockSet& set, u64 writes) {
  Block& block = *set.shadow;
  race::BlockCells& cells = block.remembers;
  const bool observed = g_observer != nullptr;
  if (!observed && !block.freed && in_few_granules(set.pending)) {
    if (block.common_reads) block.common_reads &= ~granules_of(set.pending);
    return check_one_by_one(thread, set, writes);
  }
  const u32 granules = granules_of(set.pending);
  const bool separate = cells.separate(), all = !(cells.touched() & ~granules);
  const bool unusual = (block.freed & granules) || observed;
  if (!unusual) block.common_reads &= ~granules;
  if (separate && !all && !unusual && set.keys) {
    cells.ask_for_lists(granules);
    return check_one_by_one(thread, set, writes);
  }
  check_pending_words(thread, set, writes);
  if (separate && all) cells.regroup();
}

}  // namespace heddle
