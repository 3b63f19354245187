// What was not shown is perhaps impossible: every class of orders is explored, as `heddle prove` does it, and the
// finding is in none.
#pragma once

#include <functional>
#include <string>

#include "confirm/target.hpp"
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
  bool seen = false;  // what was watched for
};

// Ends at the first race: an order that depends on a race is not explored.
Exploration explore_all(explore::Program& program, const RefuterOptions& options);

// The same, and the atomicity violation is watched for. The intruder's access conflicts with both of the others, so
// they come in the same order in all orders of a class, of which one is executed; not so where several variables belong
// together, which cannot be refuted.
Exploration explore_all(explore::Program& program, const RefuterOptions& options, const Target& violation,
                        const std::string& executable);

}  // namespace heddle::confirm
