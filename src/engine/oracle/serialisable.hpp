// The oracle of Velodrome: the whole graph of steps, an edge for every pair of accesses that conflict or are ordered
// by structure, and its transitive closure.
#pragma once

#include "event/event.hpp"

namespace heddle::engine {

// Is there a serial order of the steps with the same conflicts?
bool serialisable(const event::History& history);

}  // namespace heddle::engine
