// What was not shown is perhaps impossible: every class of orders is explored, as `heddle prove` does it, and the finding is in none.
#pragma once

#include <functional>
#include <string>

#include "explore/program/program_executor.hpp"

namespace heddle::confirm {

struct RefuterOptions {
  u64 most_orders = 2000;
  double most_seconds = 20;
  std::function<bool()> stops;
};

struct Exploration {
  std::string
      incomplete;  // why nothing follows from it; empty: all orders were explored, and none has a race
  u64 orders = 0;
  u64 deadlocks = 0;  // orders that end in one
};

// Ends at the first race: an order that depends on a race is not explored.
Exploration explore_all(explore::Program& program, const RefuterOptions& options);

}  // namespace heddle::confirm
