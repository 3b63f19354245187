#include "runtime/shadow/site_patterns.hpp"

#include <cstring>

namespace heddle {

SitePatterns::SitePatterns()
    : keys_(static_cast<AccessKey*>(memory::map(kMost * AccessSets::kWords * sizeof(AccessKey)))) {}

StackId SitePatterns::intern(const AccessKey* keys, u32 hash) {
  SpinGuard guard(lock_);
  u64 at = u64{hash} << 20;
  for (;; ++at) {
    const u32* known = by_hash_.find(at);
    if (!known) break;
    if (same_keys(this->keys(*known), keys)) return *known;
  }
  if (count_ == kMost) return 0;
  const StackId pattern = kFirst + count_++;
  memcpy(keys_ + (pattern - kFirst) * AccessSets::kWords, keys, AccessSets::kWords * sizeof(AccessKey));
  by_hash_[at] = pattern;
  return pattern;
}

}  // namespace heddle
