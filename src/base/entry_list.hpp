// What is remembered of 64 bytes of memory: a short list of entries, two in place, more in an array.
#pragma once

#include <cstring>
#include <type_traits>

#include "base/memory.hpp"
#include "base/types.hpp"

namespace heddle {

// An entry is trivially copyable and made of words.
template <class Entry>
class EntryList {
  static_assert(std::is_trivially_copyable_v<Entry>);

 public:
  u64 racy = 0;     // bytes whose race has been found: not checked again
  u64 written = 0;  // at least the bytes that some entry writes

  Entry* begin() { return capacity_ ? many_ : in_place_; }
  Entry* end() { return begin() + count_; }
  u32 count() const { return count_; }
  // Time to look for entries that are covered, even if nothing else demands it.
  bool crowded(u32 times = 1) const { return count_ >= times * crowd_; }
  void set_crowd() { crowd_ = count_ < 4 ? 8 : 2 * count_; }

  void add(const Entry& entry) {
    if (count_ == (capacity_ ? capacity_ : kInPlace)) grow();
    begin()[count_++] = entry;
  }
  void remove(Entry* entry) { *entry = begin()[--count_]; }
  // These bytes are new: nothing is known of them.
  void clear(u64 bytes) {
    racy &= ~bytes;
    written &= ~bytes;
    for (Entry* entry = begin(); entry != end();) {
      entry->bytes &= ~bytes;
      if (entry->bytes == 0)
        remove(entry);
      else
        ++entry;
    }
  }
  void destroy() {
    if (capacity_) heddle::memory::release(many_, capacity_ * sizeof(Entry));
  }
  usize memory() const { return capacity_ * sizeof(Entry); }

 private:
  static constexpr u32 kInPlace = 2;

  void grow() {
    u32 larger = capacity_ ? capacity_ * 2 : 2 * kInPlace;
    auto* entries = static_cast<Entry*>(heddle::memory::allocate_unzeroed(larger * sizeof(Entry)));
    memcpy(static_cast<void*>(entries), begin(), count_ * sizeof(Entry));
    if (capacity_) heddle::memory::release(many_, capacity_ * sizeof(Entry));
    many_ = entries;
    capacity_ = larger;
  }

  u32 count_ = 0, capacity_ = 0, crowd_ = 8;
  union {
    Entry in_place_[kInPlace] = {};
    Entry* many_;
  };
};

}  // namespace heddle
