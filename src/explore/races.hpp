// Data races of one execution: pairs of accesses, at least one a write, not both atomic, not under a common lock in
// conflicting modes, and not ordered. The order is that of tasks, not of actors: two chunks of a loop are unordered
// even if one thread ran both.
//
// Found by a sweep over addresses, with one entry for all equal accesses of a task. Reported once per pair of sites.
#pragma once

#include <vector>

#include "explore/analysis.hpp"

namespace heddle::explore {

struct Race {
  u32 first = 0, second = 0;  // steps
  Access first_access, second_access;
};

std::vector<Race> find_races(const Analysis& analysis);

}  // namespace heddle::explore
