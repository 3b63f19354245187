#include "runtime/site_patterns.hpp"

#include <cstring>

namespace heddle {

SitePatterns::SitePatterns()
    : keys_(static_cast<AccessKey*>(memory::map(kMost * AccessSets::kWords * sizeof(AccessKey)))) {}

StackId SitePatterns::intern(const AccessKey (&keys)[AccessSets::kWords]) {
  u64 hash = 0;
  for (AccessKey key : keys) hash = (hash ^ key) * 0x9e3779b97f4a7c15ull;
  hash = mix(hash) >> 1;  // the map keeps ~0 for itself
  SpinGuard guard(lock_);
  for (;; hash = (hash + 1) & ~u64{0} >> 1) {
    const u32* known = by_hash_.find(hash);
    if (!known) break;
    if (memcmp(this->keys(*known), keys, sizeof keys) == 0) return *known;
  }
  if (count_ == kMost) return 0;
  const StackId pattern = kFirst + count_++;
  memcpy(keys_ + (pattern - kFirst) * AccessSets::kWords, keys, sizeof keys);
  by_hash_[hash] = pattern;
  return pattern;
}

}  // namespace heddle
