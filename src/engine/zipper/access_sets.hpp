// The access sets of all nodes, by block of memory; see zipper.hpp.
#pragma once

#include <cstdlib>
#include <cstring>

#include "engine/access_kind.hpp"
#include "engine/happens_before.hpp"
#include "engine/paged.hpp"

namespace heddle::engine {

// The accesses of one node to a block, of one kind and from one site.
struct Entry {
  u64 bytes = 0;
  Epoch node = 0;
  u32 site = 0;
  Kind kind = Kind::kRead;
  u16 bound_to = 0;  // not 0: the thread of the machine that it belongs to
};
static_assert(sizeof(Entry) == 24);

// Every access that races with b races with a, if a is unordered with it, too.
inline bool stands_for(Kind a, u32 a_bound_to, const Entry& b) {
  return covers(a, b.kind) && (a_bound_to == 0 || a_bound_to == b.bound_to);
}
inline bool conflict(const Entry& a, const Entry& b) {
  return conflict(a.kind, b.kind) && (a.bound_to == 0 || a.bound_to != b.bound_to);
}

// The entries of 64 bytes, in one cache line: two in place, or a pointer to all of them. Writes come first, so that
// the newest of each sort is found at once. Bytes that have raced are rare; they are noted only in the longer list.
class alignas(64) Block {
 public:
  u64 written = 0;  // at least the bytes that some entry writes

  Entry* begin() { return is_many() ? many_->at : in_place_; }
  Entry* end() { return begin() + count(); }
  u32 count() const { return is_many() ? many_->count : count_; }
  u32 writes() const { return writes_; }
  // Null if there is none.
  Entry* newest_write() { return writes_ ? begin() + writes_ - 1 : nullptr; }
  Entry* newest_read() { return count() > writes_ ? end() - 1 : nullptr; }

  // The bytes whose race has been found: they are not checked again.
  u64 racy() const { return is_many() ? many_->racy : 0; }
  void set_racy(u64 bytes) {
    if (!is_many()) grow();
    many_->racy |= bytes;
  }
  // Are there enough entries to search for covered ones?
  bool crowded() const { return is_many() && many_->count >= many_->crowd; }
  void set_crowd() {
    if (is_many()) many_->crowd = many_->count < 4 ? 8 : 2 * many_->count;
  }

  void add(const Entry& entry) {
    if (is_many() ? many_->count == many_->capacity : count_ == kInPlace) grow();
    Entry* last = end();
    if (engine::writes(entry.kind)) {
      Entry* first_read = begin() + writes_++;
      *last = *first_read;
      *first_read = entry;
    } else {
      *last = entry;
    }
    is_many() ? ++many_->count : ++count_;
  }
  void remove(Entry* entry) {
    if (engine::writes(entry->kind)) {
      Entry* last_write = begin() + --writes_;
      *entry = *last_write;
      entry = last_write;
    }
    *entry = end()[-1];
    is_many() ? --many_->count : --count_;
  }
  // These bytes are new: clears their entries.
  void clear(u64 bytes) {
    written &= ~bytes;
    if (is_many()) many_->racy &= ~bytes;
    for (u32 i = 0; i < count();) {
      Entry& entry = begin()[i];
      entry.bytes &= ~bytes;
      if (entry.bytes == 0)
        remove(&entry);
      else
        ++i;
    }
  }
  void destroy() {
    if (is_many()) std::free(many_);
  }
  usize memory() const { return is_many() ? sizeof(Many) + many_->capacity * sizeof(Entry) : 0; }

 private:
  static constexpr u32 kInPlace = 2, kIsMany = 3;
  struct Many {
    u32 count, capacity, crowd;
    u64 racy;
    Entry at[];
  };

  bool is_many() const { return count_ == kIsMany; }
  void grow() {
    const u32 old = count(), capacity = is_many() ? 2 * many_->capacity : 2 * kInPlace;
    auto* larger = static_cast<Many*>(std::malloc(sizeof(Many) + capacity * sizeof(Entry)));
    larger->count = old;
    larger->capacity = capacity;
    larger->crowd = is_many() ? many_->crowd : 8;
    larger->racy = racy();
    std::memcpy(static_cast<void*>(larger->at), begin(), old * sizeof(Entry));
    destroy();
    many_ = larger;
    count_ = kIsMany;
  }

  u32 count_ = 0;   // of those in place
  u32 writes_ = 0;  // of all
  union {
    Entry in_place_[kInPlace] = {};
    Many* many_;
  };
};
static_assert(sizeof(Block) == 64);

}  // namespace heddle::engine
