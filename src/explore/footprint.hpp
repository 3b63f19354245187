// The footprint of a step decides on which other steps it depends: the objects it touches, and its accesses that are
// atomic or under locks.
//
// Two steps of different actors *depend* on each other if both touch one object in conflicting modes, or if their
// accesses conflict (overlap, one writes) and are protected: by a lock that both hold in conflicting modes, or
// because both are atomic. A conflict that is not protected is no dependence: unordered, it is a race (races.hpp).
//
// A lock that is acquired and released inside a step is only *pulsed*: two pulses commute unless their accesses
// conflict. So the order of critical sections without conflicting accesses need not be explored.
#pragma once

#include <memory>
#include <vector>

#include "explore/execution.hpp"

namespace heddle::explore {

enum class KeyKind : u8 { kLock, kSync, kTurn };
enum class KeyMode : u8 { kReadPulse, kWritePulse, kReadChange, kWriteChange };

// Two keys of one object conflict, unless both read or both pulse.
bool exclude(KeyMode a, KeyMode b);

struct Key {
  KeyKind kind = KeyKind::kLock;
  KeyMode mode = KeyMode::kWriteChange;
  u64 object = 0;
};

struct Touch {
  u64 begin = 0, end = 0;
  bool write = false, atomic = false;
};

struct Footprint {
  std::vector<Key> keys;    // one per object, sorted
  std::vector<Held> locks;  // held at any time in the step, one per lock, sorted
  std::vector<Touch>
      touches;  // atomic, or under a lock, in the order of addresses; none if the reduction ignores them
};
using FootprintRef = std::shared_ptr<const Footprint>;

// Is there a lock in both, at least one side holding it for writing?
bool exclude(const std::vector<Held>& a, const std::vector<Held>& b);

// Of steps of different actors. Cost: linear in the footprints.
bool dependent(const Footprint& a, const Footprint& b);

// All locks that a step holds at any time, or held in the poll it repeats; a lock held in both modes counts as
// written.
std::vector<Held> locks_of(const Step& step, bool with_looks = false);

}  // namespace heddle::explore
