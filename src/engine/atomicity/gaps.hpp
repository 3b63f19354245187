// What could come between two accesses of one task: the sets of locks that it held in between, as a number.
//
// Another access fits in iff at some moment the task holds no lock that excludes it. So of all moments only those with the fewest locks
// count: a gap is the set of the minimal locksets. A lock that is released and taken again leaves a moment without it; that is what the
// paper's lock versions say. And it says more: with hand over hand locking (take a, take b, release a, ...) there is no moment
// at which both are free, and so whoever needs both stays out.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "engine/locksets.hpp"

namespace heddle::engine {

using Gap = u32;

class Gaps {
 public:
  explicit Gaps(Locksets& locksets) : locksets_(locksets) {}

  Gap at(Lockset held) { return number_of({held}); }
  // The gap with one moment more.
  Gap with(Gap gap, Lockset held);
  // Is there a moment at which somebody who holds these can act?
  bool lets_in(Gap gap, Lockset held);
  // Does a let in whatever b lets in?
  bool at_least(Gap a, Gap b);
  // Nothing can be added to a gap in which no lock was held.
  bool is_open(Gap gap) const { return gap == open_; }
  u32 count() const { return static_cast<u32>(moments_.size()); }

 private:
  using Moments = std::vector<Lockset>;  // minimal sets, ascending
  using Answers = std::unordered_map<u64, bool>;

  Gap number_of(Moments moments);

  Locksets& locksets_;
  std::vector<Moments> moments_ = {{0}};
  std::map<Moments, Gap> numbers_ = {{{0}, 0}};
  std::unordered_map<u64, Gap> steps_;
  Answers lets_in_, at_least_;
  static constexpr Gap open_ = 0;
};

}  // namespace heddle::engine
