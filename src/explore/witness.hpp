// The shortest way to a race: what must happen before its two steps, then the two, one right behind the other.
//
// No lock handed over between the two orders them then, so that a detector that counts every acquisition of a run sees
// the race, too: if both hold a lock for reading, whoever acquires it in its step goes first, and the other, who had it
// all along, second.
#pragma once

#include <vector>

#include "explore/analysis.hpp"
#include "explore/races.hpp"

namespace heddle::explore {

// Steps of the execution, in the order in which they are to be made.
std::vector<u32> witness(const Analysis& analysis, const Race& race);

std::vector<ActorNumber> actors_of(const Execution& execution, const std::vector<u32>& steps);

}  // namespace heddle::explore
