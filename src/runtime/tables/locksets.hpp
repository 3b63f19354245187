// Sets of held locks as numbers (Savage et al. 1997: Eraser). Equal sets have equal numbers; 0 is the empty set. An
// element is (lock << 1 | held for writing). Thread safety: any thread may call anything.
#pragma once

#include <atomic>

#include "base/hash_map.hpp"
#include "base/spin_lock.hpp"

namespace heddle {

using LocksetId = u32;
using HeldLock = u32;
constexpr HeldLock held(u32 lock, bool write) { return lock << 1 | (write ? 1 : 0); }

struct Lockset {
  u32 count;
  HeldLock at[];  // ascending
};

class Locksets {
 public:
  Locksets();
  LocksetId with(LocksetId set, HeldLock lock);
  LocksetId without(LocksetId set, HeldLock lock);

  // A lock in both, held for writing at least once: two readers do not exclude each other.
  bool share_a_lock(LocksetId a, LocksetId b) const;
  bool subset(LocksetId a, LocksetId b) const;
  const Lockset& get(LocksetId id) const { return *sets_[id].load(std::memory_order_acquire); }
  u32 count() const { return next_.load(std::memory_order_relaxed); }
  // More sets than ids: from then on new sets look like the one they were made from.
  bool overflowed() const { return overflowed_.load(std::memory_order_relaxed); }

 private:
  LocksetId intern(const HeldLock* locks, u32 count, LocksetId fallback);

  static constexpr u32 kMost = 1u << 20;  // the bits an access has for it
  std::atomic<Lockset*>* sets_;
  std::atomic<u32> next_{0};
  std::atomic<bool> overflowed_{false};
  SpinLock lock_;
  HashMap<u32> by_hash_;  // hash of the elements -> id; a clash of hashes probes on with the hash changed
};

}  // namespace heddle
