// The probability of a pause at a site: 1 at first, halved after every four pauses there that timed out, and at least
// one in 64. A site that many threads pass without success must not slow the program down, and must not be dropped.
//
// Thread safety: the caller's.
#pragma once

#include "base/random.hpp"

namespace heddle::control {

class Backoff {
 public:
  static constexpr u32 kSites = 32;

  void failed(u32 site) { ++failed_[site]; }
  bool is_worth_a_pause(u32 site, SplitMix64& random) const {
    const u32 halves = failed_[site] / kFailuresPerHalf;
    return random.below(1u << (halves < kMostHalves ? halves : kMostHalves)) == 0;
  }

 private:
  static constexpr u32 kFailuresPerHalf = 4, kMostHalves = 6;
  u32 failed_[kSites] = {};
};

}  // namespace heddle::control
