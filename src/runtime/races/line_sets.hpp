// The access sets of lines, for plain accesses that are not whole words. Like words their bytes are pending until the
// strand ends; then those that have become whole words are left to the set of their block.
//
// Thread safety: the thread's own.
#pragma once

#include "runtime/races/block_sets.hpp"

namespace heddle {

// Makes the set the current strand's, for the line of the address. False for addresses no program can have.
bool claim_line(ThreadState& thread, LineSet& line, uptr address);
// As set_of().
HEDDLE_INLINE LineSet* line_of(ThreadState& thread, uptr address) {
  LineSet& line = line_set(thread.sets, address);
  const bool claimed = line.tag == tag_of(thread.sets, address) && line.shadow;
  return HEDDLE_LIKELY(claimed) || claim_line(thread, line, address) ? &line : nullptr;
}

// For a line that has nothing pending so far, and will.
void make_dirty(ThreadState& thread, LineSet& line, uptr address);
AccessKey* add_line_keys(ThreadState& thread);

// Checks the bytes that are pending, or makes them pending words.
void flush_lines(ThreadState& thread);
// Those of lines that the range reaches into.
void flush_lines(ThreadState& thread, uptr begin, uptr end);
// What the task did to these bytes does not count any more. REQUIRES: nothing of it is pending.
void forget_lines(ThreadState& thread, uptr begin, uptr end);

}  // namespace heddle
