// Data races of one execution: pairs of accesses of which one writes, not both atomic, not under a common lock in
// excluding modes, and not ordered. The order here is that of tasks, not of actors: two chunks of a loop are unordered
// though one thread ran both.
//
// Found by a sweep over addresses, with one entry for all accesses of a task that are alike. Reported once for each
// pair of sites.
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
