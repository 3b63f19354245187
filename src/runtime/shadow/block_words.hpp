// Words and granules of one block, as bits: a block of 256 bytes has 64 words, or 32 granules. A line of 64 bytes has
// 16 words.
#pragma once

#include "runtime/shadow/access_sets.hpp"

namespace heddle {

constexpr uptr block_base(const BlockSet& set) {
  return (set.tag & AccessSets::kNumber & ~AccessSets::kAtomic) << kBlockShift;
}

inline uptr line_base(const AccessSets& sets, const LineSet& line) {
  const uptr block = (line.tag & AccessSets::kNumber) << kBlockShift;
  const uptr at = static_cast<uptr>(&line - sets.lines) << kLineShift;
  return block | ((at ^ block / AccessSets::kLines) & (kBlockSize - kLineSize));
}

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

// Every fourth bit, side by side.
inline u64 each_fourth(u64 x) {
  x &= 0x1111111111111111;
  x = (x | x >> 3) & 0x0303030303030303;
  x = (x | x >> 6) & 0x000f000f000f000f;
  x = (x | x >> 12) & 0x000000ff000000ff;
  return (x | x >> 24) & 0xffff;
}
// The words of a line of which these are all the bytes; of which these are some.
inline u64 whole_words(u64 bytes) { return each_fourth(bytes & bytes >> 1 & bytes >> 2 & bytes >> 3); }
inline u64 touched_words(u64 bytes) { return each_fourth(bytes | bytes >> 1 | bytes >> 2 | bytes >> 3); }
// Each bit four times: the bytes of words of a line.
inline u64 bytes_of(u64 words) {
  u64 x = words & 0xffff;
  x = (x | x << 24) & 0x000000ff000000ff;
  x = (x | x << 12) & 0x000f000f000f000f;
  x = (x | x << 6) & 0x0303030303030303;
  x = (x | x << 3) & 0x1111111111111111;
  return x * 15;
}

// Do no more than four granules have one of these words?
inline bool in_few_granules(u64 words) {
  u64 granules = (words | words >> 1) & 0x5555555555555555;
  for (u32 i = 0; i < 4; ++i) granules &= granules - 1;
  return !granules;
}
// Calls visit(granule, its words: 1, 2 or 3) for each granule that has one of these words, until one returns false.
template <class Visit>
HEDDLE_INLINE bool for_each_granule(u64 words, Visit visit) {
  while (words) {
    const u32 granule = static_cast<u32>(__builtin_ctzll(words)) >> 1;
    if (!visit(granule, static_cast<u32>(words >> 2 * granule) & 3)) return false;
    words &= ~(u64{3} << 2 * granule);
  }
  return true;
}
// The bytes of these words of a granule.
constexpr u8 bytes_of_halves(u32 words) { return (words & 1 ? 0x0f : 0) | (words & 2 ? 0xf0 : 0); }

// The granules that have one of these words.
inline u32 granules_of(u64 words) { return even_bits(words | words >> 1); }

}  // namespace heddle
