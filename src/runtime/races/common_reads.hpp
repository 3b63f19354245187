// Reads that change nothing: every remembered write comes before them, and a remembered read stands for them.
//
// What many tasks read is only looked at, not held: threads that read the same do not wait for each other.
#pragma once

#include "runtime/races/strand_context.hpp"
#include "runtime/shadow/block_words.hpp"

namespace heddle {

// The access, to one granule, is remembered already (and was displaced from the filter), or is one more of many reads.
bool changes_nothing(ThreadState& thread, const Block& block, uptr base, u32 granule,
                     const race::Access& now);

// The same for all that is pending in the set. Not for reads under a lock: they release it, and then do not stand for
// others. REQUIRES: nothing but reads is pending.
bool changes_nothing(ThreadState& thread, const BlockSet& set);

// Granules of which nothing need be found out about a read by this task.
HEDDLE_INLINE u32 common_reads(const ThreadState& thread, const Block& block) {
  if (__atomic_load_n(&block.common_to, __ATOMIC_RELAXED) != thread.context->task->wait) return 0;
  if (__atomic_load_n(&block.quiescent_point, __ATOMIC_RELAXED) != rt().order.quiescent_points()) return 0;
  return __atomic_load_n(&block.common_reads, __ATOMIC_RELAXED);
}
// Marks all of them as read: who reads one word of what many read will read others. It does not matter whether it does:
// the remembered read stands for whatever the task reads until their join.
HEDDLE_INLINE void mark_common_reads(const ThreadState& thread, BlockSet& set) {
  const Block& block = *set.shadow;
  const u32 version = block.lock.look();
  const u32 common = common_reads(thread, block);
  if (common && block.lock.unchanged_since(version)) set.unread &= common == ~0u ? 0 : ~words_of(common);
}

}  // namespace heddle
