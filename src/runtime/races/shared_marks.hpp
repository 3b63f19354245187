// Marks of reads that serve several tasks, one after the other: chunks of a dynamic loop, or sections, that run on one
// thread between two barriers. Each would otherwise read the same data for the first time.
//
// A read X by a later chunk may be left out where an earlier one, A, has read the same bytes, for these reasons. A is
// over, and was a single strand from its beginning to its end: it acquired nothing, released nothing, and took no lock.
// The same barrier joins both, and both began after the same strand of the team's parent.
//  - What comes before A comes before X, as A knows no more than its team did when it began. So a write that races with
//    X, and was there when A read, races with A.
//  - What is parallel to X, and comes later, does not come after A, which released nothing: so it races with A.
//  - If that write is A's own, A's marks of reads in its block do not count (note_own_write).
//  - A held no lock, and claimed no memory of the thread that X's task does not claim: nothing excuses A's race with a
//    write that does not excuse X's.
// Whatever the checker drops for A's read, or instead of it, stands for A, and so for X.
//
// Of writes this is not true: a chunk's write races with an earlier one's. So marks of writes are the task's own, and
// so is a set that has any (AccessSets::read_stamp). The next chunk makes it a shared one without what was written.
//
// Thread safety: the thread's own.
#pragma once

#include "runtime/state/thread_state.hpp"

namespace heddle {

// A new task begins, or the current one has released something: which marks of reads count? `forgotten`: the memory
// may be other memory by now. REQUIRES: sets.stamp is the stamp of its own marks.
void share_marks(ThreadState& thread, bool forgotten);

// The task ends, on this thread.
void leave_marks(ThreadState& thread, const order::Task& task);

// Does the current task leave its marks of reads to others?
HEDDLE_INLINE bool shares_marks(const ThreadState& thread) {
  return thread.sets.read_stamp != thread.sets.stamp;
}

// Of a task that does: may it have written to the block of this address? Says yes for some others.
HEDDLE_INLINE bool may_have_written(const ThreadState& thread, uptr address) {
  const u32 bit = ThreadState::MarkSharers::bit(address >> kBlockShift);
  return thread.mark_sharers.written[bit / 64] >> bit % 64 & 1;
}
// It writes to the block, by this set, or in a way that no set knows: then those that follow do not know what of the
// block it has only read.
void note_own_write(ThreadState& thread, uptr address, const BlockSet* by);

}  // namespace heddle
