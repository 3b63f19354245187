// What a strand did to a word of annotated data, if it did more than one thing: as one number, where the key of an
// access would be.
//
// Of a strand's accesses to a word two pairs matter (checker/atomicity/pairs.hpp): its first two, between which no
// write may come; and its first two writes, between which no read may come either.
//
// Thread safety: any thread may call anything.
#pragma once

#include "base/hash_map.hpp"
#include "base/spin_lock.hpp"
#include "runtime/shadow/site_patterns.hpp"

namespace heddle {

struct Repeated {
  AccessKey first = 0, again = 0;    // the first two accesses
  AccessKey write = 0, rewrite = 0;  // the first two writes; 0: none
};

class Repeats {
 public:
  Repeats();

  // What was done so far, and one more access. REQUIRES: not full.
  AccessKey after(AccessKey so_far, AccessKey now);
  // With room for what threads that have just asked may need.
  bool full() const { return __atomic_load_n(&count_, __ATOMIC_RELAXED) >= kMost - kRoom; }
  Repeated get(AccessKey key) const {
    if (is_repeated(key >> 1)) return table_[(key >> 1) - kFirst];
    return {key, 0, key & 1 ? key : 0, 0};
  }

 private:
  static bool is_repeated(StackId site) { return site >= kFirst && site < SitePatterns::kFirst; }
  static constexpr u32 kMost = 1u << 16, kRoom = 1u << 12;
  static constexpr StackId kFirst = SitePatterns::kFirst - kMost;

  Repeated* table_;
  u32 count_ = 0;
  SpinLock lock_;
  HashMap<u32> known_;
};

}  // namespace heddle
