// The access path to annotated data: the accesses of a strand to a word up to its second read and its second write,
// within the same critical section (repeated_touches.hpp), without leaving the hook. Here every instruction counts.
#pragma once

#include "runtime/state/thread_state.hpp"

namespace heddle {

// What was done to a word so far, and one more access: if that has been asked before. 0 if not.
HEDDLE_INLINE ThreadState::RepeatsCache& repeats_cache(ThreadState& thread, AccessKey so_far, AccessKey now) {
  const u64 asked = u64{so_far} << 32 | now;
  return thread.repeats_cache[(asked ^ asked >> 29) * 0x9e3779b1u >> 7 & (ThreadState::kRepeatsCache - 1)];
}

// Words of one access to a block with annotated data that the strand has touched before. False: nothing was done, and
// first_touch() must.
HEDDLE_INLINE bool touch_annotated_in_hook(ThreadState& thread, BlockSet& set, uptr address, u32 size,
                                           bool write, uptr pc) {
  if (HEDDLE_UNLIKELY(!set.repeats)) return false;
  const u32 first = address >> 2 & (AccessSets::kWords - 1);
  const u64 all = ((u64{1} << (size / 4)) - 1) << first;
  const StackId caller = thread.top[-1].stack;
  const ThreadState::SiteCache& site = thread.site_cache[ThreadState::site_slot(caller, pc)];
  if (HEDDLE_UNLIKELY(site.pc != pc || site.caller != caller)) return false;
  if (set.repeats == BlockSet::kOnce) {
    if ((set.pending & all) || site.site != (write ? set.write_site : set.read_site)) return false;
    set.pending |= all;
    ++thread.touches;
    return true;
  }
  AccessSets::Keys& keys = thread.sets.keys[set.repeats - 1];
  RepeatedWords& repeated = keys.repeated;
  if (HEDDLE_UNLIKELY(all & ~repeated.annotated)) return false;
  const AccessKey now = site.site << 1 | u32{write};
  if ((set.pending & all) == 0) {
    for (u32 i = 0; i < size / 4; ++i) keys.of_word[first + i] = now;
    set.pending |= all;
    if (write) repeated.written |= all;
    ++thread.touches;
    return true;
  }
  // Again: all of them alike, or it is not worth the registers.
  u64& unknown = write ? set.unwritten : set.unread;
  if ((set.pending & unknown & all) != all) return false;
  const bool again = repeated.again >> first & 1, written = repeated.written >> first & 1;
  const AccessKey so_far = (again ? keys.again_of_word : keys.of_word)[first];
  if (size > 4 &&
      ((repeated.again & all) != (again ? all : 0) || (repeated.written & all) != (written ? all : 0)))
    return false;
  for (u32 i = 1; i < size / 4; ++i)
    if ((again ? keys.again_of_word : keys.of_word)[first + i] != so_far) return false;
  const ThreadState::RepeatsCache& known = repeats_cache(thread, so_far, now);
  if (HEDDLE_UNLIKELY(known.so_far_and_now != (u64{so_far} << 32 | now))) return false;
  for (u32 i = 0; i < size / 4; ++i) keys.again_of_word[first + i] = known.after;
  repeated.again |= all;
  set.unread &= ~all;
  if (write) {
    if (written) {
      repeated.rewritten |= all;
      set.unwritten &= ~all;
    } else {
      for (u32 i = 0; i < size / 4; ++i) keys.of_word[first + i] = now;
      repeated.written |= all;
    }
  }
  ++thread.touches;
  return true;
}

}  // namespace heddle
