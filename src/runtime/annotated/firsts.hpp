// First accesses of a step to annotated data, which lie in its log until a later one makes a pair with them.
#pragma once

#include "runtime/annotated/location.hpp"

namespace heddle::annotated {

// What the step wrote down about these words of the line at `base` becomes firsts of the line. REQUIRES: the block is
// held.
void bring_firsts(ThreadState& thread, Step& step, Line& line, uptr base, u64 words, Now& context);

// Four bytes for each of sixteen words.
inline u64 bytes_of_words(u64 words) {
  u64 x = words & 0xffff;
  x = (x | x << 24) & 0x000000ff000000ff;
  x = (x | x << 12) & 0x000f000f000f000f;
  x = (x | x << 6) & 0x0303030303030303;
  x = (x | x << 3) & 0x1111111111111111;
  return x * 0xf;
}

inline Single single_of(const ThreadState& thread, AccessKey key, u32 locks, u64 bytes, u32 bound_to) {
  return {bytes, thread.strand, {key >> 1, locks, (key & 1) != 0, false}, bound_to};
}

// Calls visit(key, bytes of the line) for the words of a line, those of one key together.
template <class KeyOf, class Visit>
void for_each_key(u64 words, KeyOf key_of, Visit visit) {
  while (words) {
    const AccessKey key = key_of(static_cast<u32>(__builtin_ctzll(words)));
    u64 same = 0;
    for (u64 left = words; left; left &= left - 1)
      if (key_of(static_cast<u32>(__builtin_ctzll(left))) == key) same |= left & -left;
    visit(key, same);
    words &= ~same;
  }
}

}  // namespace heddle::annotated
