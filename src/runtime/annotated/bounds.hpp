// Where annotated data may be, for hooks that have nothing else to look for: `--check=atomicity` single, and no region
// anywhere.
//
// Most accesses of such a run are to memory without annotations. They end in the hook, after a comparison with the
// bounds of all that is annotated. Between those, a bit for each page (by a hash) says whether it is worth a closer
// look. Bounds and bits only grow.
#pragma once

#include "runtime/shadow/shadow.hpp"

namespace heddle::annotated {

struct Bounds {
  std::atomic<uptr> low{~uptr{0}};
  std::atomic<uptr> length{0};  // from `low`, to the end of the last one

  static constexpr u32 kBits = 1u << 16;
  std::atomic<u64> pages[kBits / 64];

  HEDDLE_INLINE bool within_bounds(uptr address) const {
    return address - low.load(std::memory_order_relaxed) < length.load(std::memory_order_relaxed);
  }
  bool overlaps(uptr begin, uptr end) const {
    const uptr from = low.load(std::memory_order_relaxed);
    return end > from &&
           begin - from + (from > begin ? from - begin : 0) < length.load(std::memory_order_relaxed);
  }
  HEDDLE_INLINE bool page_of(uptr address) const {
    const u32 bit = bit_of(address);
    return pages[bit / 64].load(std::memory_order_relaxed) >> (bit % 64) & 1;
  }
  void add(uptr begin, uptr end);
  // Nothing ends in the hook any more.
  void add_everything();

 private:
  static u32 bit_of(uptr address) {
    const uptr page = address >> kPageShift;
    return static_cast<u32>(page ^ page >> 16) % kBits;
  }
};
extern Bounds g_bounds;

}  // namespace heddle::annotated
