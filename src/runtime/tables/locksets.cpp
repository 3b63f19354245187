#include "runtime/tables/locksets.hpp"

#include <cstring>

#include "base/vector.hpp"

namespace heddle {

Locksets::Locksets()
    : sets_(static_cast<std::atomic<Lockset*>*>(memory::map(kMost * sizeof(std::atomic<Lockset*>)))) {
  intern(nullptr, 0, 0);
}

LocksetId Locksets::intern(const HeldLock* locks, u32 count, LocksetId fallback) {
  u64 hash = 0x9e3779b97f4a7c15ull;
  for (u32 i = 0; i < count; ++i) hash = mix(hash ^ locks[i]);
  hash &= ~u64{0} >> 1;  // the map keeps ~0 for itself
  SpinGuard guard(lock_);
  for (;; hash = (hash + 1) & (~u64{0} >> 1)) {
    u32* known = by_hash_.find(hash);
    if (!known) break;
    const Lockset& set = get(*known);
    if (set.count == count && (!count || memcmp(set.at, locks, count * sizeof(HeldLock)) == 0)) return *known;
  }
  u32 id = next_.load(std::memory_order_relaxed);
  if (id == kMost) {
    overflowed_.store(true, std::memory_order_relaxed);
    return fallback;
  }
  auto* set = static_cast<Lockset*>(memory::allocate(sizeof(Lockset) + count * sizeof(HeldLock)));
  set->count = count;
  if (count) memcpy(set->at, locks, count * sizeof(HeldLock));
  sets_[id].store(set, std::memory_order_release);
  by_hash_[hash] = id;
  next_.store(id + 1, std::memory_order_relaxed);
  return id;
}

LocksetId Locksets::with(LocksetId id, HeldLock lock) {
  Vector<HeldLock> locks;
  bool placed = false;
  for (const HeldLock* at = get(id).at; at != get(id).at + get(id).count; ++at) {
    if (*at == lock) return id;
    if (!placed && lock < *at) {
      locks.push_back(lock);
      placed = true;
    }
    locks.push_back(*at);
  }
  if (!placed) locks.push_back(lock);
  return intern(locks.begin(), locks.size(), id);
}

LocksetId Locksets::without(LocksetId id, HeldLock lock) {
  Vector<HeldLock> locks;
  for (const HeldLock* at = get(id).at; at != get(id).at + get(id).count; ++at)
    if (*at != lock) locks.push_back(*at);
  return intern(locks.begin(), locks.size(), id);
}

bool Locksets::share_a_lock(LocksetId a, LocksetId b) const {
  if (a == 0 || b == 0) return false;
  const Lockset &x = get(a), &y = get(b);
  for (u32 i = 0, j = 0; i < x.count && j < y.count;) {
    u32 lock_x = x.at[i] >> 1, lock_y = y.at[j] >> 1;
    if (lock_x == lock_y) {
      if ((x.at[i] | y.at[j]) & 1) return true;
      ++i;  // the same lock may follow, held for writing
    } else if (lock_x < lock_y) {
      ++i;
    } else {
      ++j;
    }
  }
  return false;
}

bool Locksets::subset(LocksetId a, LocksetId b) const {
  if (a == b || a == 0) return true;
  const Lockset &x = get(a), &y = get(b);
  u32 j = 0;
  for (u32 i = 0; i < x.count; ++i) {
    while (j < y.count && y.at[j] < x.at[i]) ++j;
    if (j == y.count || y.at[j] != x.at[i]) return false;
  }
  return true;
}

}  // namespace heddle
