// The filter: what the task has done since its last release operation that access sets do not hold, by granule: with
// atomic operations that end the strand or are small, with the thread's own memory, with bytes of annotated data.
#pragma once

#include "runtime/state/thread_state.hpp"

namespace heddle {

// In a filter entry: the granule, with a bit for atomic ones and one for those to memory of the thread; which of its
// bytes were written, and which were read or written.
constexpr u32 kFilterShift = 16;
HEDDLE_INLINE u64 filter_key(uptr granule, u64 flags) {
  return granule << kFilterShift | (flags & race::kPlain ? u64{0} : u64{1} << 63) |
         (flags & race::kBound ? u64{1} << 61 : u64{0});
}
HEDDLE_INLINE u64 filter_demand(u32 offset, u32 size, u64 flags) {
  u64 bytes = u64{(1u << size) - 1} << offset;
  return flags & race::kWrite ? bytes | bytes << 8 : bytes;
}
HEDDLE_INLINE FilterEntry& filter_entry(ThreadState& thread, uptr granule) {
  return thread.filter[granule % ThreadState::kFilter];
}

// The bytes, of one granule, have been touched.
inline void note_bytes(ThreadState& thread, uptr address, u32 size, u64 flags) {
  const uptr granule = address >> 3;
  const u64 key = filter_key(granule, flags), demand = filter_demand(address & 7, size, flags);
  FilterEntry& entry = filter_entry(thread, granule);
  bool joins = entry.marked == thread.marked && (entry.what ^ key) >> kFilterShift == 0;
  entry = {joins ? entry.what | demand : key | demand, thread.marked};
  thread.filtered = thread.marked;
}

}  // namespace heddle
