// The access path: what every load and store of the program runs. Everything here is counted in instructions.
//
// An access that the same strand has already made, at least as strongly, to the same bytes changes nothing: two compares with
// the cell decide that. All else is access_slow().
#pragma once

#include "runtime/runtime.hpp"

namespace heddle {

// REQUIRES: the access lies within one granule of 8 bytes.
HEDDLE_INLINE void access_granule(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  uptr number = address >> kPageShift;
  PageCacheEntry& page = thread.pages[number % ThreadState::kPageCache];
  if (HEDDLE_LIKELY(page.number == number)) {
    race::Cell& cell = page.cells[(address & (kPageSize - 1)) / 8];
    u64 demand = flags | (u64{(1u << size) - 1} << (address & 7)) << race::kBytesShift;
    // `what` before `strand`: the writer stores them the other way round, so a mixture never matches.
    for (race::Access* known : {&cell.first, &cell.second}) {
      u64 what = __atomic_load_n(&known->what, __ATOMIC_ACQUIRE);
      if (__atomic_load_n(&known->strand, __ATOMIC_RELAXED) == thread.strand && race::as_strong(what, demand)) return;
    }
  }
  access_slow(thread, address, size, flags, pc);
}

HEDDLE_INLINE void access(uptr address, u32 size, u64 flags, uptr pc) {
  ThreadState* thread = t_self;
  if (HEDDLE_UNLIKELY(!thread || !thread->active)) return;
  u32 inside = 8 - (address & 7);
  if (HEDDLE_LIKELY(size <= inside)) return access_granule(*thread, address, size, flags, pc);
  access_range(*thread, address, size, flags, pc);
}

}  // namespace heddle
