// The oracle of races: every pair of accesses of a history, decided by the computation graph. Written from the
// definition of a race, and slow; the race checker is right when it equals this.
//
// Two accesses race if they are unordered by structure, touch a common byte that is not new memory since
// the first, at least one writes, at least one is not atomic, no lock is held by both (held for writing by at
// least one), and they are not bound to one thread. The race is certain if they are unordered in the full order, too,
// and predicted otherwise.
#pragma once

#include <vector>

#include "event/event.hpp"

namespace heddle::race {

struct RacingPair {
  u32 first, second;  // events of the history
  bool certain;
};

class AllPairs {
 public:
  explicit AllPairs(const event::History& history);

  const std::vector<RacingPair>& races() const { return races_; }

 private:
  std::vector<RacingPair> races_;
};

}  // namespace heddle::race
