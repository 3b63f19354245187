// splitmix64 (Steele, Lea and Flood 2014): the same numbers on every machine for one seed.
#pragma once

#include "base/types.hpp"

namespace heddle {

class SplitMix64 {
 public:
  constexpr explicit SplitMix64(u64 seed = 0) : state_(seed) {}

  constexpr u64 next() {
    u64 z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  // 0 .. limit-1.
  constexpr u32 below(u32 limit) { return static_cast<u32>((next() >> 32) * limit >> 32); }

 private:
  u64 state_;
};

}  // namespace heddle
