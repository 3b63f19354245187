// The call sites of the words of a block, as one number. An unrolled loop touches a block from several places in turn,
// a task its frame and its records; if each place were checked by itself, the block would fall into as many groups. The
// same few patterns come again for block after block, so they are kept, and an access may name a pattern where it would
// name a site: which of its sites is meant follows from the word that is asked for.
//
// Thread safety: any thread may call anything.
#pragma once

#include "base/hash_map.hpp"
#include "base/spin_lock.hpp"
#include "checker/race/access.hpp"
#include "runtime/shadow/access_sets.hpp"
#include "runtime/tables/call_stacks.hpp"

namespace heddle {

class SitePatterns {
 public:
  SitePatterns();

  // The number of a pattern, to be used as a site. 0 when there are too many: a program whose blocks are all different
  // gains nothing. REQUIRES: these are the keys of a set, and its hash_keys.
  StackId intern(const AccessKey* keys, u32 hash);
  // Too many for a new one: a thread that keeps those it has met needs no others.
  bool full() const { return __atomic_load_n(&count_, __ATOMIC_RELAXED) == kMost; }
  static bool is_pattern(StackId site) { return site >= kFirst; }
  // REQUIRES: is_pattern(site).
  const AccessKey* keys(StackId pattern) const { return keys_ + (pattern - kFirst) * AccessSets::kWords; }

  static constexpr u32 kMost = 4096;
  static constexpr StackId kFirst =
      (1u << race::kSiteBits) - kMost;  // call stacks count from below, and end before

 private:
  AccessKey* keys_;
  u32 count_ = 0;
  SpinLock lock_;
  HashMap<u32> by_hash_;
};

}  // namespace heddle
