// Sets of bytes, as the judges of this folder need them.
#pragma once

#include <algorithm>
#include <map>

#include "base/types.hpp"

namespace heddle::oracle {

// A set of bytes.
class Bytes {
 public:
  void add(u64 begin, u64 end) {
    auto first = ranges_.upper_bound(begin);
    if (first != ranges_.begin() && std::prev(first)->second >= begin) --first;
    for (; first != ranges_.end() && first->first <= end; first = ranges_.erase(first)) {
      begin = std::min(begin, first->first);
      end = std::max(end, first->second);
    }
    ranges_[begin] = end;
  }
  void add(const Bytes& others) {
    for (auto [begin, end] : others.ranges_) add(begin, end);
  }
  bool operator==(const Bytes&) const = default;

 private:
  std::map<u64, u64> ranges_;  // begin -> end; they do not touch each other
};

// The bytes of a granule of eight that a range has, as bits.
inline u8 bytes_in(u64 granule, u64 begin, u64 end) {
  if (end <= granule || begin >= granule + 8) return 0;
  const u64 from = begin > granule ? begin - granule : 0, to = std::min<u64>(end - granule, 8);
  return static_cast<u8>((1u << to) - (1u << from));
}

// To go through a range granule by granule: the next one that is looked at.
// All of a few; of large ranges those where blocks meet, and the last.
inline u64 next_to_look_at(u64 granule, u64 end) {
  const u64 next = granule + 8, last = (end - 1) & ~u64{7};
  if (end - granule <= 512 || next % 256 == 0 || granule % 256 == 0) return next;
  return std::max(next, std::min(next | 0xf8, last));
}

}  // namespace heddle::oracle
