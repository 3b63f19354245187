// The access path: what every load and store of the program runs. Everything here is counted in instructions.
//
// An access that the same strand has already made, at least as strongly, to the same bytes changes nothing. Each thread keeps a
// filter of what its strand has done: one compare decides the usual case. All else is access_slow().
#pragma once

#include "runtime/runtime.hpp"

namespace heddle {

constexpr u32 kFilterShift = 16;

HEDDLE_INLINE FilterEntry& filter_entry(ThreadState& thread, uptr granule) {
  return thread.filter[granule % ThreadState::kFilter];
}

HEDDLE_INLINE void access(uptr address, u32 size, u64 flags, uptr pc) {
  ThreadState* thread = t_self;
  if (HEDDLE_UNLIKELY(!thread)) return;
  u32 offset = address & 7;
  if (HEDDLE_LIKELY(offset + size <= 8)) {
    uptr granule = address >> 3;
    u64 demand = flags | u64{((1u << size) - 1)} << (offset + race::kBytesShift);
    const FilterEntry& entry = filter_entry(*thread, granule);
    // Equal granule, and every bit of the demand is there.
    u64 missing = (entry.what ^ (granule << kFilterShift | demand)) & (~u64{0} << kFilterShift | demand);
    if (HEDDLE_LIKELY(missing == 0 && entry.strand == thread->strand)) return;
    return access_slow(*thread, address, size, flags, pc);
  }
  access_range(*thread, address, size, flags, pc);
}

}  // namespace heddle
