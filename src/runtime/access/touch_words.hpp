// Words of one block become pending.
#pragma once

#include "runtime/races/common_reads.hpp"
#include "runtime/races/pending.hpp"
#include "runtime/state/current_stack.hpp"

namespace heddle {

// From now on each word has a key of its own.
void spell_out(ThreadState& thread, BlockSet& set);

// While the process is quiescent no access matters, up to the next spawn, which ends the marks; and nowhere one to
// constants: all of the block may as well be marked.
void mark_all(ThreadState& thread, uptr address);

HEDDLE_INLINE void note(BlockSet& set, u64 words, bool write) {
  set.pending |= words;
  set.unread &= ~words;
  if (write) set.unwritten &= ~words;
}

// Words of one block, given as bits: those that the strand has not touched yet, as strongly, become pending. The others
// keep their keys. `site` says where it was.
template <class Site>
HEDDLE_INLINE void touch_words(ThreadState& thread, uptr address, u64 words, bool write, Site site_of) {
  BlockSet* set = set_of(thread, address);
  if (!set) return;
  if (HEDDLE_UNLIKELY(set->repeats)) flush_block(thread, *set);  // it was annotated until now
  words &= write ? set->unwritten : set->unread;
  if (!words) return;
  if (!set->pending) {
    // Only where it is likely: waiting for the shadow of scattered memory would be most of the work.
    if (!write && set->common) {
      mark_common_reads(thread, *set);
      words &= set->unread;
      if (!words) return;
    }
    make_dirty(thread, *set);
  }
  const StackId site = site_of();
  if (!set->keys) {
    StackId& common = write ? set->write_site : set->read_site;
    if (!common) common = site;
    if (common != site) spell_out(thread, *set);
  }
  if (set->keys)
    for (u64 left = words; left; left &= left - 1) set->keys[__builtin_ctzll(left)] = site << 1 | u32{write};
  note(*set, words, write);
}
HEDDLE_INLINE void touch_words(ThreadState& thread, uptr address, u64 words, bool write, uptr pc) {
  touch_words(thread, address, words, write, [&] { return current_site(thread, pc); });
}

}  // namespace heddle
