// The access sets of all nodes, by block of memory; see zipper.hpp.
#pragma once

#include <cstdlib>
#include <cstring>

#include "engine/access_kind.hpp"
#include "engine/happens_before.hpp"
#include "engine/paged.hpp"

namespace heddle::engine {

// One node's accesses of one kind from one site to a block.
struct Entry {
  u64 bytes = 0;
  Epoch node = 0;
  u32 site = 0;
  Kind kind = Kind::kRead;
  u16 bound_to = 0;  // not 0: the thread of the machine that it belongs to
};
static_assert(sizeof(Entry) == 24);

// Who races with b races with a, if a is unordered with it, too.
inline bool stands_for(Kind a, u32 a_bound_to, const Entry& b) {
  return covers(a, b.kind) && (a_bound_to == 0 || a_bound_to == b.bound_to);
}
inline bool conflict(const Entry& a, const Entry& b) {
  return conflict(a.kind, b.kind) && (a.bound_to == 0 || a.bound_to != b.bound_to);
}

// The entries of 64 bytes: two in place, or all of them in an array.
class Block {
 public:
  u64 racy = 0;     // bytes whose race has been found
  u64 written = 0;  // at least the bytes that some entry writes

  Entry* begin() { return capacity_ ? many_ : in_place_; }
  Entry* end() { return begin() + count_; }
  u32 count() const { return count_; }
  // Time to look for entries that are covered, even if nothing else demands it.
  bool crowded() const { return count_ >= crowd_; }
  void set_crowd() { crowd_ = count_ < 4 ? 8 : 2 * count_; }

  void add(const Entry& entry) {
    if (count_ == (capacity_ ? capacity_ : kInPlace)) grow();
    begin()[count_++] = entry;
  }
  void remove(Entry* entry) { *entry = begin()[--count_]; }
  void destroy() {
    if (capacity_) std::free(many_);
  }
  usize memory() const { return capacity_ * sizeof(Entry); }

 private:
  static constexpr u32 kInPlace = 2;

  void grow() {
    u32 larger = capacity_ ? capacity_ * 2 : 2 * kInPlace;
    auto* entries = static_cast<Entry*>(std::malloc(larger * sizeof(Entry)));
    std::memcpy(static_cast<void*>(entries), begin(), count_ * sizeof(Entry));
    if (capacity_) std::free(many_);
    many_ = entries;
    capacity_ = larger;
  }

  u32 count_ = 0, capacity_ = 0, crowd_ = 8;
  union {
    Entry in_place_[kInPlace] = {};
    Entry* many_;
  };
};

}  // namespace heddle::engine
