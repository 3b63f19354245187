// splitmix64 (Steele, Lea, Flood 2014): the same numbers on every machine for one seed.
#pragma once

#include "base/types.hpp"

namespace heddle::event {

class Rng {
 public:
  explicit Rng(u64 seed) : state_(seed) {}

  u64 next() {
    u64 z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  u32 below(u32 bound) { return static_cast<u32>((next() >> 32) * bound >> 32); }
  u32 between(u32 low, u32 high) { return low + below(high - low + 1); }
  bool percent(u32 chance) { return below(100) < chance; }

 private:
  u64 state_;
};

}  // namespace heddle::event
