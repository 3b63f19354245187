// The shortest schedule of a race: the steps that must happen before its two steps, then the two, adjacent.
//
// No lock then passes from one to the other, so that a detector that orders every acquisition of a run sees the race,
// too: if both hold a lock for reading, the one that acquires it in its step goes first, and the one that held it
// before goes second.
#pragma once

#include <vector>

#include "explore/analysis.hpp"
#include "explore/races.hpp"

namespace heddle::explore {

// Steps of the execution, in the order in which they are to be made.
std::vector<u32> witness(const Analysis& analysis, const Race& race);

std::vector<ActorNumber> actors_of(const Execution& execution, const std::vector<u32>& steps);

}  // namespace heddle::explore
