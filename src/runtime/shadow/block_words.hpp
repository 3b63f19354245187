// Words and granules of one block, as bits: a block of 256 bytes has 64 words, or 32 granules.
#pragma once

#include "runtime/shadow/access_sets.hpp"

namespace heddle {

constexpr uptr block_base(const BlockSet& set) { return (set.tag & AccessSets::kNumber) << kBlockShift; }

// Words of a block that lie in the range. REQUIRES: it is not empty, and lies in one block.
constexpr u64 words_touched(uptr begin, uptr end) {
  return ~u64{0} << (begin >> 2 & 63) & ~u64{0} >> (63 - ((end - 1) >> 2 & 63));
}

// The even bits, side by side.
inline u32 even_bits(u64 x) {
  x &= 0x5555555555555555;
  x = (x | x >> 1) & 0x3333333333333333;
  x = (x | x >> 2) & 0x0f0f0f0f0f0f0f0f;
  x = (x | x >> 4) & 0x00ff00ff00ff00ff;
  x = (x | x >> 8) & 0x0000ffff0000ffff;
  return static_cast<u32>(x | x >> 16);
}

// Each bit twice: the words of granules.
inline u64 words_of(u32 granules) {
  u64 x = granules;
  x = (x | x << 16) & 0x0000ffff0000ffff;
  x = (x | x << 8) & 0x00ff00ff00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
  x = (x | x << 2) & 0x3333333333333333;
  x = (x | x << 1) & 0x5555555555555555;
  return x | x << 1;
}

// The granules that have one of these words.
inline u32 granules_of(u64 words) { return even_bits(words | words >> 1); }

}  // namespace heddle
