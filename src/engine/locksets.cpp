#include "engine/locksets.hpp"

#include <algorithm>

namespace heddle::engine {

Lockset Locksets::number_of(const Locks& locks) {
  auto [found, is_new] = numbers_.try_emplace(locks, static_cast<Lockset>(sets_.size()));
  if (is_new) {
    sets_.push_back(locks);
    has_writer_.push_back(
        std::any_of(locks.begin(), locks.end(), [](const auto& held) { return held.second; }));
  }
  return found->second;
}

Lockset Locksets::with(Lockset set, u32 lock, bool write) {
  // 2 bits for the operation, 31 for the lock, 31 for the set.
  auto [found, is_new] = steps_.try_emplace(u64{set} << 33 | u64{lock} << 2 | u64{write} << 1);
  if (is_new) {
    Locks locks = sets_[set];
    locks[lock] = write;
    found->second = number_of(locks);
  }
  return found->second;
}

Lockset Locksets::without(Lockset set, u32 lock) {
  auto [found, is_new] = steps_.try_emplace(u64{set} << 33 | u64{lock} << 2 | 1);
  if (is_new) {
    Locks locks = sets_[set];
    locks.erase(lock);
    found->second = number_of(locks);
  }
  return found->second;
}

bool Locksets::find_exclusion(Lockset a, Lockset b) const {
  for (auto [lock, write] : sets_[a])
    if (auto other = sets_[b].find(lock); other != sets_[b].end() && (write || other->second)) return true;
  return false;
}

bool Locksets::find_subset(Lockset a, Lockset b) const {
  for (auto [lock, write] : sets_[a])
    if (auto other = sets_[b].find(lock); other == sets_[b].end() || other->second != write) return false;
  return true;
}

}  // namespace heddle::engine
