#include "runtime/races/pending.hpp"

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
  if (HEDDLE_UNLIKELY(set.repeats))
    return g_observer->flush(thread, set, logged == ~0u ? g_observer->logged(*thread.context) : logged);
  set.common = !set.pending_writes() && !thread.context->lockset && changes_nothing(thread, set);
  if (!set.common) {
    HeldBlock guard(*set.shadow);
    check_and_regroup(thread, set, set.pending_writes());
  }
  nothing_pending(set);
}

}  // namespace

bool claim_set(ThreadState& thread, BlockSet& set, uptr address) {
  if (set.pending) flush_set(thread, set);
  bool same_block = (set.tag & AccessSets::kNumber) == address >> kBlockShift;
  if (!same_block || !set.shadow) {
    Page* page = rt().shadow.page(address);
    if (!page) return false;
    set.shadow = &page->block(address);
    set.common = false;
    set.all_annotated = 0;
  }
  hand_over(thread, set, address);
  return true;
}

void flush_block(ThreadState& thread, BlockSet& set) {
  if (set.pending) flush_set(thread, set);
}

void make_dirty(ThreadState& thread, BlockSet& set) {
  AccessSets& sets = thread.sets;
  if (sets.dirty_count == AccessSets::kDirty) flush_pending(thread);
  sets.dirty[sets.dirty_count++] = static_cast<u32>(&set - sets.blocks);
}

AccessSets::Keys& add_keys(ThreadState& thread) {
  AccessSets::Keys& keys = thread.sets.keys[thread.sets.keys_count++];
  // What is not pending has no key: patterns are compared as a whole.
  for (AccessKey& key : keys.of_word) key = 0;
  return keys;
}

void check_bytes(ThreadState& thread, Block& block, uptr granule, u64 bytes, u64 flags, StackId site) {
  const uptr base = granule << 3 & ~(kBlockSize - 1);
  const Access now{thread.strand,
                   thread.what | race::what_word(site, 0, 0, flags) | bytes << race::kBytesShift};
  const u32 number = granule & 31;
  if (changes_nothing(thread, block, base, number, now)) return;
  HeldBlock guard(block);
  check_granules(thread, block, base, 1u << number, now);
}

namespace {

HEDDLE_NOINLINE void flush_byte_runs(ThreadState& thread, uptr begin, uptr end) {
  for (ByteRun& run : thread.byte_runs) {
    if (!run.granule || run.granule < begin >> 3 || run.granule > (end - 1) >> 3) continue;
    check_bytes(thread, *run.shadow, run.granule, run.bytes, run.flags, run.site);
    run.granule = 0;
  }
}

}  // namespace

void flush_pending(ThreadState& thread) {
  AccessSets& sets = thread.sets;
  if (!sets.dirty_count) return;  // a thread may have no task any more
  bool was_active = thread.active;
  thread.active = false;
  if (thread.any_byte_runs) {
    flush_byte_runs(thread, 0, ~uptr{0});
    thread.any_byte_runs = false;
  }
  // Where a strand walks over scattered memory, waiting for the shadow would be most of the work: so it is asked for
  // ahead, the block first, then the cells.
  auto set_at = [&](u32 i) -> BlockSet& { return sets.blocks[sets.dirty[i]]; };
  auto prefetch_block = [&](u32 i) {
    if (i < sets.dirty_count) prefetch(set_at(i).shadow);
  };
  auto prefetch_cells = [&](u32 i) {
    if (i >= sets.dirty_count || !set_at(i).pending) return;
    const BlockSet& set = set_at(i);
    set.shadow->remembers.ask_for(even_bits(set.pending | set.pending >> 1));
  };
  const u32 logged = HEDDLE_UNLIKELY(g_observer != nullptr) ? g_observer->logged(*thread.context) : 0;
  constexpr u32 kBlockAhead = 16, kCellAhead = 8;
  for (u32 i = 0; i < kBlockAhead; ++i) prefetch_block(i);
  for (u32 i = 0; i < kCellAhead; ++i) prefetch_cells(i);
  for (u32 i = 0; i < sets.dirty_count; ++i) {
    prefetch_block(i + kBlockAhead);
    prefetch_cells(i + kCellAhead);
    BlockSet& set = set_at(i);
    if (set.pending) flush_set(thread, set, logged);
  }
  sets.dirty_count = sets.keys_count = 0;
  thread.step_ends = false;
  thread.active = was_active;
}

namespace {

// Does the block remember nothing of these granules but what the task itself did, or its parent before it was made?
bool known_to_task_only(const Block& block, u32 granules, const order::Task& task) {
  const u32 version = block.lock.look();
  auto unchanged = [&] { return block.lock.unchanged_since(version); };
  race::BlockCells::Glance cells(block.remembers, unchanged);
  if (!cells.valid() || __atomic_load_n(&block.freed, __ATOMIC_RELAXED)) return false;
  auto before = [&](const Access& access) {
    return access.empty() || access.task() == task.id ||
           (access.task() == task.parent->id && access.index() <= task.spawned_at);
  };
  for (u32 left = granules & cells.touched(); left; left &= left - 1) {
    const race::Cell cell = cells.get(static_cast<u32>(__builtin_ctz(left)));
    if (cell.has_list() || !before(cell.first) || !before(cell.second)) return false;
    if (cells.uniform()) break;
  }
  return unchanged();
}

}  // namespace

void drop_pending(ThreadState& thread, uptr begin, uptr end) {
  const order::Task& task = *thread.context->task;
  AccessSets& sets = thread.sets;
  thread.step_ends = sets.dirty_count != 0;
  if (!task.parent || begin >= end) return;
  for (u32 i = 0; i < sets.dirty_count; ++i) {
    BlockSet& set = sets.blocks[sets.dirty[i]];
    const uptr base = block_base(set);
    if (!set.pending || set.repeats || base + kBlockSize <= begin || base >= end) continue;
    u64 inside = ~u64{0};
    if (begin > base) inside &= ~u64{0} << (begin >> 2 & 63);
    if (end < base + kBlockSize) inside &= ~u64{0} >> (63 - ((end - 1) >> 2 & 63));
    if (set.pending & ~inside) continue;
    if (known_to_task_only(*set.shadow, even_bits(set.pending | set.pending >> 1), task))
      nothing_pending(set);
  }
}

void flush_pending(ThreadState& thread, uptr begin, uptr end) {
  if (!thread.sets.dirty_count) return;
  if (thread.any_byte_runs) flush_byte_runs(thread, begin, end);
  if ((end - begin) >> kBlockShift >= AccessSets::kDirty) return flush_pending(thread);
  for (uptr at = begin & ~(kBlockSize - 1); at < end; at += kBlockSize) {
    BlockSet& set = block_set(thread.sets, at);
    if (set.pending && block_base(set) == at) flush_set(thread, set);
  }
}

}  // namespace heddle
