#include "runtime/races/pending.hpp"

#include "runtime/races/line_sets.hpp"

namespace heddle {

using race::Access;

void flush_pending(ThreadState& thread) {
  if (!thread.sets.dirty_count) return;  // a thread may have no task any more
  bool was_active = thread.active;
  thread.active = false;
  if (thread.sets.dirty_lines_count) flush_lines(thread);
  flush_blocks(thread);
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
  if (thread.sets.dirty_lines_count) flush_lines(thread, begin, end);
  // Whichever is less work.
  if ((end - begin) >> kBlockShift >= thread.sets.dirty_count) {
    for (u32 i = 0; i < thread.sets.dirty_count; ++i) {
      BlockSet& set = thread.sets.blocks[thread.sets.dirty[i]];
      if (const uptr base = block_base(set); base + kBlockSize > begin && base < end)
        flush_block(thread, set);
    }
    return;
  }
  for (uptr at = begin & ~(kBlockSize - 1); at < end; at += kBlockSize)
    for_each_set(thread, at, [&](BlockSet& set) { flush_block(thread, set); });
}

}  // namespace heddle
