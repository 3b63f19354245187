#include "runtime/races/shared_marks.hpp"

#include "runtime/state/access_mode.hpp"
#include "runtime/state/process.hpp"
#include "runtime/state/thread_bound.hpp"

namespace heddle {
namespace {

// One strand so far: nothing acquired, nothing released, no lock taken.
bool has_just_begun(const order::Task& task) {
  return task.now == task.acquired_at && task.now == task.live->released_at;
}

}  // namespace

void share_marks(ThreadState& thread, bool forgotten) {
  ThreadState::MarkSharers& sharers = thread.mark_sharers;
  AccessSets& sets = thread.sets;
  if (forgotten) sharers.last = 0;
  sharers.current = sets.stamp;
  const TaskContext& context = *thread.context;
  const order::Task& task = *context.task;
  const bool takes_part = is_one_of_many(task) && has_just_begun(task) && !context.lockset;
  if (!takes_part || !g_mode->shares_reads || g_observer) return;
  if (std::exchange(sharers.wrote, false))
    for (u64& none : sharers.written) none = 0;
  constexpr u64 kNext = u64{1} << AccessSets::kNumberBits;
  const u64 phase = race::strand_word(task.parent->id, task.spawned_at);
  const bool continues = sharers.last && std::exchange(sharers.last_is_whole, false) &&
                         sharers.phase == phase && sharers.kind == task.kind &&
                         !(sharers.claims & ~context.claims);
  if (continues) {
    sharers.current = sharers.stamp;
    if (sets.stamp != sharers.own_stamp + kNext) sharers.since = sets.stamp;
    // Freed memory loses these marks, too.
    if (sets.atomics_stamp == sharers.own_stamp) sets.atomics_stamp = sets.stamp;
  } else {
    sharers.current = sharers.stamp = sets.stamp;
    // Its own marks, of writes, have another one.
    thread.marks_stamp = ++thread.stamp;
    sets.stamp += kNext;
    sharers.since = sets.stamp;
  }
  sharers.last = race::strand_word(task.id, task.now);
  sharers.phase = phase;
  sharers.kind = task.kind;
  sharers.claims = context.claims;
  sharers.own_stamp = sets.stamp;
}

void leave_marks(ThreadState& thread, const order::Task& task) {
  ThreadState::MarkSharers& sharers = thread.mark_sharers;
  const u64 strand = race::strand_word(task.id, task.now);
  if (strand >> 32 == sharers.last >> 32) sharers.last_is_whole = strand == sharers.last;
}

void note_own_write(ThreadState& thread, uptr address, const BlockSet* by) {
  if (!shares_marks(thread)) return;
  ThreadState::MarkSharers& sharers = thread.mark_sharers;
  const u32 bit = sharers.bit(address >> kBlockShift);
  sharers.written[bit / 64] |= u64{1} << bit % 64;
  sharers.wrote = true;
  for (Strength strength : {Strength::kPlain, Strength::kAtomic}) {
    BlockSet& set = block_set(thread.sets, address, strength);
    if (&set == by || !counts(thread.sets, set.tag, address, false, strength)) continue;
    set.tag = tag_of(thread.sets, address, strength);
    set.mixed = true;
  }
}

}  // namespace heddle
