// Tries to refute an unconfirmed finding: explores every class, as `heddle prove` does, and finds it in none.
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
  std::string incomplete;  // why it is inconclusive; empty: all orders were explored, and none has a race
  u64 orders = 0;
  u64 deadlocks = 0;  // orders that deadlock
  bool seen = false;  // the goal was reached
};

// Stops at the first race: orders that depend on a race are not explored.
Exploration explore_all(explore::Program& program, const RefuterOptions& options);

// The same, and checks for the atomicity violation. The interleaving access conflicts with both accesses of the pair,
// so all executions of a class have the same order of the three, and one execution is enough. This does not hold for
// a group of variables, which cannot be refuted.
Exploration explore_all(explore::Program& program, const RefuterOptions& options, const Target& violation,
                        const std::string& executable);

}  // namespace heddle::confirm
