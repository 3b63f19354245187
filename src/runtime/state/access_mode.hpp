// The mode of a run: what becomes of accesses that the hook could not answer. Chosen when something that decides it
// changes, which is rare: at the start, with the first annotation, where executions part. Not asked at every access.
#pragma once

#include "base/types.hpp"

namespace heddle {

struct ThreadState;

struct AccessMode {
  // Whole words of one block, plain ones only unless `pends_atomics`; anything inside one granule, or one line if it is
  // plain and not the thread's own; any range. REQUIRES: thread.active.
  void (*words)(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc);
  void (*bytes)(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc);
  void (*range)(ThreadState& thread, uptr address, usize size, u64 flags, uptr pc);
  // A block that many tasks read may be marked as read as a whole (races/common_reads.hpp): no read of it matters by
  // itself.
  bool shares_reads;
  // Atomic accesses may be pending like plain ones, until the strand ends.
  bool pends_atomics;
  // A strand's first accesses may be checked for races without more ado (races/at_once.hpp).
  bool checks_at_once = false;
};
extern const AccessMode* g_mode;

// Recording has begun, the first data is annotated, or accesses at some places stop: the mode is chosen again.
void mode_changed();
// How it is chosen: set by runtime/access, which has the modes.
extern void (*g_choose_mode)();

}  // namespace heddle
