#include "runtime/races/block_sets.hpp"

#include "runtime/races/block_check.hpp"
#include "runtime/races/common_reads.hpp"

namespace heddle {

using race::Access;

void nothing_pending(BlockSet& set) {
  set.pending = 0;
  set.read_site = set.write_site = 0;
  set.keys = nullptr;
  set.repeats = 0;
}

namespace {

// `logged`: the size of the step's log when the check began, if known.
void flush_set(ThreadState& thread, BlockSet& set, u32 logged = ~0u) {
  grace::Reading reading(thread.reader);
  if (HEDDLE_UNLIKELY(set.repeats))
    return g_observer->flush(thread, set, logged == ~0u ? g_observer->logged(*thread.context) : logged);
  set.common = !set.pending_writes() && !thread.context->lockset &&
               thread.set_attempts.succeed([&] { return changes_nothing(thread, set); });
  if (!set.common) {
    HeldBlock guard(*set.shadow);
    check_and_regroup(thread, set, set.pending_writes());
  }
  nothing_pending(set);
}

}  // namespace

namespace {

// Did an earlier task that shares its marks of reads write to this block, and did the set know all that it wrote?
bool left_by_sharer(const ThreadState& thread, const BlockSet& set, uptr address, Strength strength) {
  const u64 stamp = set.tag ^ number_of(address, strength);
  return !(stamp & AccessSets::kNumber) && stamp >= thread.mark_sharers.since && stamp < thread.sets.stamp &&
         set.shadow && !set.mixed;
}

// A set that counts for reads becomes one for writes, or the other way round: its marks of reads stay.
bool change_marks(ThreadState& thread, BlockSet& set, uptr address, bool write, Strength strength) {
  if (write) {
    if (!set.shadow || !counts(thread.sets, set.tag, address, false, strength)) return false;
    set.mixed = may_have_written(thread, address);
    set.tag = tag_of(thread.sets, address, strength);
    return true;
  }
  if (!left_by_sharer(thread, set, address, strength)) return false;
  set.unread |= ~set.unwritten;
  set.unwritten = ~u64{0};
  set.tag = number_of(address, strength) | thread.sets.read_stamp;
  return true;
}

}  // namespace

bool claim_set(ThreadState& thread, BlockSet& set, uptr address, bool write, Strength strength) {
  if (shares_marks(thread) && change_marks(thread, set, address, write, strength)) {
    if (write) note_own_write(thread, address, &set);
    return true;
  }
  if (set.pending) flush_set(thread, set);
  bool same_block = (set.tag & AccessSets::kNumber) == number_of(address, strength);
  thread.sets.note_use(set);
  if (!same_block || !set.shadow) {
    Page* page = rt().shadow.page(address);
    if (!page) return false;
    set.shadow = &page->block(address);
    set.common = false;
    set.all_annotated = 0;
  }
  hand_over(thread, set, address, write, strength);
  if (write) note_own_write(thread, address, &set);
  return true;
}

void flush_block(ThreadState& thread, BlockSet& set) {
  if (set.pending) flush_set(thread, set);
}

void spell_out(UnitSet& set, AccessKey* keys) {
  set.keys = keys;
  for (u64 left = set.pending_reads(); left; left &= left - 1)
    keys[__builtin_ctzll(left)] = set.read_site << 1;
  for (u64 left = set.pending_writes(); left; left &= left - 1)
    keys[__builtin_ctzll(left)] = set.write_site << 1 | 1;
  set.read_site = set.write_site = 0;
}

void make_dirty(ThreadState& thread, BlockSet& set) {
  AccessSets& sets = thread.sets;
  if (sets.dirty_count == AccessSets::kDirty) flush_blocks(thread);
  prefetch(set.shadow);  // the strand may end soon
  sets.dirty[sets.dirty_count++] = static_cast<u32>(&set - sets.blocks);
}

AccessSets::Keys& add_keys(ThreadState& thread) {
  AccessSets::Keys& keys = thread.sets.keys[thread.sets.keys_count++];
  // What is not pending has no key: patterns are compared as a whole.
  using Pair = u64 __attribute__((may_alias));
  auto* pairs = reinterpret_cast<Pair*>(keys.of_word);
#pragma GCC unroll 32
  for (u32 i = 0; i < AccessSets::kWords / 2; ++i) pairs[i] = 0;
  return keys;
}

void check_bytes(ThreadState& thread, Block& block, uptr granule, u64 bytes, u64 flags, StackId site) {
  const uptr base = granule << 3 & ~(kBlockSize - 1);
  const Access now{thread.strand,
                   thread.what | race::what_word(site, 0, 0, flags) | bytes << race::kBytesShift};
  const u32 number = granule & 31;
  grace::Reading reading(thread.reader);
  if (thread.byte_attempts.succeed([&] { return changes_nothing(thread, block, base, number, now); })) return;
  HeldBlock guard(block);
  check_granules(thread, block, base, 1u << number, now);
}

void flush_blocks(ThreadState& thread) {
  AccessSets& sets = thread.sets;
  // Where a strand walks over scattered memory, waiting for the shadow would be most of the work: so it is asked for
  // ahead, the block first, then the cells.
  auto set_at = [&](u32 i) -> BlockSet& { return sets.blocks[sets.dirty[i]]; };
  auto prefetch_block = [&](u32 i) {
    if (i < sets.dirty_count) prefetch(set_at(i).shadow);
  };
  auto prefetch_cells = [&](u32 i) {
    if (i >= sets.dirty_count || !set_at(i).pending) return;
    const BlockSet& set = set_at(i);
    set.shadow->remembers.ask_for(set.pending);
  };
  const u32 logged = HEDDLE_UNLIKELY(g_observer != nullptr) ? g_observer->logged(*thread.context) : 0;
  constexpr u32 kBlockAhead = 16, kCellAhead = 8;
  const bool few = sets.dirty_count < kCellAhead;
  if (!few) {
    for (u32 i = 0; i < kBlockAhead; ++i) prefetch_block(i);
    for (u32 i = 0; i < kCellAhead; ++i) prefetch_cells(i);
  }
  for (u32 i = 0; i < sets.dirty_count; ++i) {
    if (!few) {
      prefetch_block(i + kBlockAhead);
      prefetch_cells(i + kCellAhead);
    }
    BlockSet& set = set_at(i);
    if (set.pending) flush_set(thread, set, logged);
  }
  sets.dirty_count = sets.keys_count = 0;
  thread.step_ends = false;
}

}  // namespace heddle
