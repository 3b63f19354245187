// Random numbers for generated programs: the same on every machine for one seed.
#pragma once

#include "base/random.hpp"

namespace heddle::event {

class Rng : public SplitMix64 {
 public:
  using SplitMix64::SplitMix64;

  u32 between(u32 low, u32 high) { return low + below(high - low + 1); }
  bool percent(u32 chance) { return below(100) < chance; }
};

}  // namespace heddle::event
