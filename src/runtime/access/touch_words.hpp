// Words of one block, or bytes of one line, become pending.
#pragma once

#include "runtime/races/common_reads.hpp"
#include "runtime/races/line_sets.hpp"
#include "runtime/races/pending.hpp"
#include "runtime/state/current_stack.hpp"

namespace heddle {

// While the process is quiescent no access matters, up to the next spawn, which ends the marks; and nowhere one to
// constants: all of the block may as well be marked.
void mark_all(ThreadState& thread, uptr address);
// The same for the bytes of a line.
void mark_line(ThreadState& thread, uptr address);

// Words of one block, given as bits: those that the strand has not touched yet, as strongly, become pending. The others
// keep their keys.
HEDDLE_INLINE void touch_words(ThreadState& thread, uptr address, u64 words, bool write, uptr pc,
                               Strength strength = Strength::kPlain) {
  BlockSet* set = set_of(thread, address, write, strength);
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
  pend(*set, words, write, current_site(thread, pc), [&] { return add_keys(thread).of_word; });
}

// The same for plain accesses to bytes of one line.
HEDDLE_INLINE void touch_bytes(ThreadState& thread, uptr address, u32 size, bool write, uptr pc) {
  LineSet* line = line_of(thread, address);
  if (!line) return;
  u64 bytes = ~u64{0} >> (kLineSize - size) << (address & (kLineSize - 1));
  bytes &= write ? line->unwritten : line->unread;
  if (!bytes) return;
  if (!line->pending) make_dirty(thread, *line, address);
  pend(*line, bytes, write, current_site(thread, pc), [&] { return add_line_keys(thread); });
}

}  // namespace heddle
