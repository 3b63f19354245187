// The goals of steered executions, and the strategies (strategy_registry.inc). The tool finds a strategy by its name
// or its goal; the program finds the object that chooses (strategies/steered.hpp).
#pragma once

#include "base/types.hpp"

namespace heddle::control {

enum class Goal : u32 {
  kNone,
  kRace,       // two actors are about to access the same bytes at sites 0 and 1, one of them writes
  kMeet,       // two actors are at sites 0 and 1
  kAtomicity,  // one has made the access of site 0, another that of site 1, then the first that of site 2
  kDeadlock,   // the actors of a cycle are blocked at the sites
};

// For the rows: --strategy=directed uses the strategy to reach this goal.
constexpr u32 reaches(Goal goal) { return 1u << static_cast<u32>(goal); }
// Users choose it by its name; it needs no sites.
inline constexpr u32 kByName = 0;

enum class StrategyId : u32 {
  kNone,  // greedy, after the prefix of the board
#define STRATEGY(id, ...) id,
#include "control/strategy_registry.inc"
#undef STRATEGY
};

struct StrategyRow {
  StrategyId id;
  const char* name;
  u32 goals;
  const char* help;
};

inline constexpr StrategyRow kStrategies[] = {
#define STRATEGY(id, function, name, goals, help) {StrategyId::id, name, goals, help},
#include "control/strategy_registry.inc"
#undef STRATEGY
};

// kNone: no strategy is directed at it.
constexpr StrategyId directed_at(Goal goal) {
  for (const StrategyRow& row : kStrategies)
    if (row.goals & reaches(goal)) return row.id;
  return StrategyId::kNone;
}

}  // namespace heddle::control
