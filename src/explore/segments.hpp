// Address ranges, cut at each other's ends so that any two that overlap share a segment: finding overlapping accesses
// is a lookup.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace heddle::explore {

class Segments {
 public:
  void add(u64 begin, u64 end) {
    bounds_.push_back(begin);
    bounds_.push_back(end);
  }
  // After the last add, before the first query.
  void settle() {
    std::sort(bounds_.begin(), bounds_.end());
    bounds_.erase(std::unique(bounds_.begin(), bounds_.end()), bounds_.end());
  }
  usize size() const { return bounds_.size(); }
  // The segments of a range that was added: the first, and one past the last.
  std::pair<usize, usize> of(u64 begin, u64 end) const { return {place(begin), place(end)}; }

 private:
  usize place(u64 bound) const {
    return static_cast<usize>(std::lower_bound(bounds_.begin(), bounds_.end(), bound) - bounds_.begin());
  }
  std::vector<u64> bounds_;
};

}  // namespace heddle::explore
