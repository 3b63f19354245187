// The oracle of deadlocks by lock order: every chain of acquisitions of a history, decided by the computation graph.
// Written from the definition, and slow; the engine is right when it equals this.
//
// A blocking acquisition by a task that holds other locks is a *dependency*: the lock, its mode and place, and the
// same of each held lock. Acquisitions a1, ..., ak (k > 1) are a cycle if no two of them are ordered by structure,
// a(i+1) holds the lock that ai wants, or a1 for the last, and one of the two for writing; no two want the same lock,
// and no two hold a lock that one of them holds for writing.
#pragma once

#include <set>
#include <tuple>
#include <vector>

#include "event/event.hpp"

namespace heddle::engine {

using LockAndPlace = std::tuple<u32, u32, bool>;  // lock, site, for writing
struct LockDependency {
  LockAndPlace wants;
  std::vector<LockAndPlace> held;  // ascending
  auto operator<=>(const LockDependency&) const = default;
};
// Dependencies; the least one comes first.
using LockCycle = std::vector<LockDependency>;
LockCycle canonical(LockCycle cycle);

std::set<LockCycle> all_cycles(const event::History& history);

}  // namespace heddle::engine
