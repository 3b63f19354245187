// Sets of held locks as numbers: equal sets have equal numbers, and queries on pairs are cached.
#pragma once

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace heddle::engine {

using Lockset = u32;  // 0 is the empty one

class Locksets {
 public:
  Lockset with(Lockset set, u32 lock, bool write);
  Lockset without(Lockset set, u32 lock);

  u32 count() const { return static_cast<u32>(sets_.size()); }

  // Is there a lock in both, held for writing in at least one?
  bool exclude_each_other(Lockset a, Lockset b) {
    return a != 0 && b != 0 && (a == b ? writes(a) : cached(a, b, excludes_, &Locksets::find_exclusion));
  }
  // Does b hold all that a holds, in the same modes?
  bool subset(Lockset a, Lockset b) {
    return a == 0 || a == b || cached(a, b, subsets_, &Locksets::find_subset);
  }

 private:
  using Locks = std::map<u32, bool>;  // lock -> held for writing
  using Answers = std::unordered_map<u64, bool>;

  Lockset number_of(const Locks& locks);
  bool writes(Lockset set) const { return has_writer_[set]; }
  bool find_exclusion(Lockset a, Lockset b) const;
  bool find_subset(Lockset a, Lockset b) const;
  bool cached(Lockset a, Lockset b, Answers& answers, bool (Locksets::*find)(Lockset, Lockset) const) {
    auto [found, is_new] = answers.try_emplace(u64{a} << 32 | b);
    if (is_new) found->second = (this->*find)(a, b);
    return found->second;
  }

  std::vector<Locks> sets_ = {{}};
  std::vector<bool> has_writer_ = {false};
  std::map<Locks, Lockset> numbers_ = {{{}, 0}};
  std::unordered_map<u64, Lockset>
      steps_;  // set, lock and mode -> the set with it, or (the lowest bit) without it
  Answers excludes_, subsets_;
};

}  // namespace heddle::engine
