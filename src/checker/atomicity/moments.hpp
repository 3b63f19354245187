// Which locks a task has held since some moment of its step: what widens a gap.
//
// Of the moments since then only those with the fewest locks count, so a moment is forgotten as soon as a later one
// has no lock that it lacks: what is left is a few sets, however long the step is.
#pragma once

#include "base/vector.hpp"
#include "checker/atomicity/gaps.hpp"

namespace heddle::atomicity {

class Moments {
 public:
  // A step begins with these locks held.
  void begin() {
    entries_.clear();
    clock_ = 0;
  }
  // A lock was acquired or released.
  template <class Locksets>
  void note(u32 held, Locksets& locksets) {
    ++clock_;
    for (u32 i = 0; i < entries_.size();)
      if (locksets.subset(held, entries_[i].held))
        entries_.erase_swap(i);
      else
        ++i;
    entries_.push_back({held, clock_});
  }
  u32 now() const { return clock_; }

  // The gap, which reaches up to the moment `seen`, is made to reach up to now.
  template <class Gaps>
  void widen(Gap& gap, u32& seen, Gaps& gaps) const {
    if (seen == clock_ || gap == kOpen) return;
    for (const Entry& entry : entries_)
      if (entry.at > seen) gap = gaps.with(gap, entry.held);
    seen = clock_;
  }

 private:
  struct Entry {
    u32 held, at;
  };
  Vector<Entry> entries_;
  u32 clock_ = 0;
};

}  // namespace heddle::atomicity
