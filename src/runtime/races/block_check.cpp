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

}  // namespace

void check_granules(ThreadState& thread, Block& block, uptr base, u32 granules, const Access& now) {
  if (HEDDLE_UNLIKELY(block.freed & granules)) recall_free(block, base, granules);
  block.common_reads &= ~granules;
  StrandContext context(thread, base);
  if (!(granules & (granules - 1)) && !g_observer &&
      block.remembers.update_alone(static_cast<u32>(__builtin_ctz(granules)), [&](race::Cell& cell) {
        return Checker::check_few(cell, now, context) || Checker::check_again(cell, now, context);
      }))
    return;
  block.remembers.update(granules,
                         [&](race::Cell& cell, u32 those) { check_cell(thread, context, cell, those, now); });
  if (HEDDLE_UNLIKELY(g_observer != nullptr)) g_observer->checked(thread, block, base, granules, now);
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

// Where each granule has its own cell and its own key anyway, to sort the words by their keys would only cost.
void check_one_by_one(ThreadState& thread, BlockSet& set) {
  Block& block = *set.shadow;
  const uptr base = block_base(set);
  StrandContext context(thread, base);
  block.remembers.ask_for_lists(even_bits(set.pending | set.pending >> 1));
  for (u64 left = set.pending; left;) {
    const u32 granule = static_cast<u32>(__builtin_ctzll(left)) >> 1;
    const AccessKey* keys = set.keys + 2 * granule;
    const u64 words = set.pending >> 2 * granule & 3;
    left &= ~(u64{3} << 2 * granule);
    auto check_half = [&](AccessKey key, u64 bytes) {
      const Access now{thread.strand, thread.what | race::what_word(key >> 1, 0, 0, flags_of(set, key & 1)) |
                                          bytes << race::kBytesShift};
      block.remembers.update_own(
          granule, [&](race::Cell& cell) { check_cell(thread, context, cell, 1u << granule, now); });
    };
    if (words == 3 && keys[0] == keys[1]) {
      check_half(keys[0], 0xff);
      continue;
    }
    if (words & 1) check_half(keys[0], 0x0f);
    if (words & 2) check_half(keys[1], 0xf0);
  }
}

void check_pending_words(ThreadState& thread, BlockSet& set, u64 writes, bool scattered) {
  Block& block = *set.shadow;
  const uptr base = block_base(set);
  auto check_both = [&](StackId reads_from, StackId writes_from) {
    const u64 reads = set.pending & ~writes;
    if (reads) check_words(thread, block, base, reads, reads_from, flags_of(set, false));
    if (writes) check_words(thread, block, base, writes, writes_from, flags_of(set, true));
  };
  if (!set.keys) return check_both(set.read_site, set.write_site);
  if (scattered) return check_one_by_one(thread, set);
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
  race::BlockCells& cells = set.shadow->remembers;
  const u32 granules = even_bits(set.pending | set.pending >> 1);
  const bool separate = cells.separate(), all = !(cells.touched() & ~granules);
  const bool unusual = (set.shadow->freed & granules) || g_observer != nullptr;
  if (!unusual) set.shadow->common_reads &= ~granules;
  check_pending_words(thread, set, writes, separate && !all && !unusual);
  if (separate && all) cells.regroup();
}

}  // namespace heddle
