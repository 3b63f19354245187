// What an exploration counts.
#pragma once

#include "base/types.hpp"

namespace heddle::explore {

struct Statistics {
  u64 executions = 0;  // complete ones: as many as classes
  u64 blocked = 0;     // tried, and found to belong to a class that is explored elsewhere
  u64 impossible = 0;  // tried, and found that it cannot be
  u64 deadlocks = 0, crashes = 0, racy = 0;
  u64 diverged = 0, too_long = 0;  // then the exploration is not complete
  u64 steps = 0;                   // of all executions
  u64 deepest = 0;                 // steps of the longest
  u64 open = 0;        // sequences that are known and not explored: at least so many classes remain
  u64 most_nodes = 0;  // that the tree had at any time
};

}  // namespace heddle::explore
