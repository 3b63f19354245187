// An open-addressing map from 64-bit keys to small trivially copyable values, on the runtime's own memory.
// The key ~0 is reserved. Not thread-safe: the owner brings the lock. Erasing leaves no tombstones (backward shift).
#pragma once

#include <type_traits>

#include "base/memory.hpp"

namespace heddle {

// A finaliser with full avalanche, so that addresses spread over the table. Two rounds: after one, what a shard was
// chosen by shows in the place within it (equally spaced heap blocks needed 48 probes on average).
inline u64 mix(u64 x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ull;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ull;
  x ^= x >> 32;
  return x;
}

template <class V>
class HashMap {
  static_assert(std::is_trivially_copyable_v<V>);
  static constexpr u64 kEmpty = ~u64{0};
  struct Slot {
    u64 key;
    V value;
  };

 public:
  HashMap() = default;
  HashMap(const HashMap&) = delete;
  HashMap& operator=(const HashMap&) = delete;
  ~HashMap() { reset(); }

  V* find(u64 key) {
    if (!slots_) return nullptr;
    Slot& slot = slots_[locate(key)];
    return slot.key == key ? &slot.value : nullptr;
  }
  // The value of the key, made from V{} when it is not there. The pointer holds until the next insertion.
  V& operator[](u64 key) {
    if ((size_ + 1) * 4 > capacity_ * 3) grow();
    Slot& slot = slots_[locate(key)];
    if (slot.key != key) {
      slot.key = key;
      slot.value = V{};
      ++size_;
    }
    return slot.value;
  }
  void erase(u64 key) {
    if (!slots_) return;
    usize hole = locate(key);
    if (slots_[hole].key != key) return;
    --size_;
    for (usize at = hole;;) {
      at = (at + 1) & (capacity_ - 1);
      if (slots_[at].key == kEmpty) break;
      usize home = mix(slots_[at].key) & (capacity_ - 1);
      bool movable = hole <= at ? (home <= hole || home > at) : (home <= hole && home > at);
      if (movable) {
        slots_[hole] = slots_[at];
        hole = at;
      }
    }
    slots_[hole].key = kEmpty;
  }
  usize size() const { return size_; }
  void reset() {
    memory::release(slots_, capacity_ * sizeof(Slot));
    slots_ = nullptr;
    size_ = capacity_ = 0;
  }

  template <class F>
  void for_each(F&& visit) {
    for (usize i = 0; i < capacity_; ++i)
      if (slots_[i].key != kEmpty) visit(slots_[i].key, slots_[i].value);
  }

 private:
  usize locate(u64 key) const {
    usize at = mix(key) & (capacity_ - 1);
    while (slots_[at].key != key && slots_[at].key != kEmpty) at = (at + 1) & (capacity_ - 1);
    return at;
  }
  void grow() {
    usize old_capacity = capacity_;
    Slot* old = slots_;
    capacity_ = old_capacity ? old_capacity * 2 : 16;
    slots_ = static_cast<Slot*>(memory::allocate(capacity_ * sizeof(Slot)));
    for (usize i = 0; i < capacity_; ++i) slots_[i].key = kEmpty;
    for (usize i = 0; i < old_capacity; ++i)
      if (old[i].key != kEmpty) slots_[locate(old[i].key)] = old[i];
    memory::release(old, old_capacity * sizeof(Slot));
  }

  Slot* slots_ = nullptr;
  usize capacity_ = 0;
  usize size_ = 0;
};

}  // namespace heddle
