// Deadlocks by lock order, as an engine reports them: a cycle of acquisitions, each edge with its task, the lock that
// it wanted and those that it held. Each task wants a lock that the next one holds.
#pragma once

#include <vector>

#include "checker/deadlock/relation.hpp"

namespace heddle::engine {

struct DeadlockEdge {
  u32 task = 0;  // as the history numbers it
  deadlock::Acquisition wants = {};
  std::vector<deadlock::Acquisition> held = {};
};
using Deadlock = std::vector<DeadlockEdge>;

}  // namespace heddle::engine
