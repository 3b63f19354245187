// What an exploration counts.
#pragma once

#include "base/types.hpp"

namespace heddle::explore {

struct Statistics {
  u64 executions = 0;  // complete ones: as many as classes
  u64 blocked = 0;     // aborted: redundant, their class is explored elsewhere
  u64 impossible = 0;  // tried, but not possible
  u64 deadlocks = 0, crashes = 0, racy = 0;
  u64 diverged = 0, too_long = 0;  // if not 0, the exploration is incomplete
  u64 steps = 0;                   // of all executions
  u64 deepest = 0;                 // steps of the longest
  u64 open = 0;                    // known but unexplored sequences: at least so many classes remain
  u64 most_nodes = 0;              // maximum size of the tree
};

}  // namespace heddle::explore
