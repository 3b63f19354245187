// What decides with which other steps a step can change places: the objects it touches, and what it accesses under
// locks or atomically.
//
// Two steps of different actors *depend* on each other if both touch one object and their modes exclude each other, or
// if their accesses conflict (overlap, one writes) and are protected: by a lock that both hold in excluding modes, or
// because both are atomic. A conflict that is not protected is no dependence: unordered, it is a race (races.hpp).
//
// A lock that is acquired and released inside a step is only *pulsed*: two pulses change places freely, unless their
// accesses conflict. That is what spares the orders of critical sections that have nothing to say to each other.
#pragma once

#include <memory>
#include <vector>

#include "explore/execution.hpp"

namespace heddle::explore {

enum class KeyKind : u8 { kLock, kSync, kTurn };
enum class KeyMode : u8 { kReadPulse, kWritePulse, kReadChange, kWriteChange };

// A key fits every other key of its object, except: two that read, two that pulse.
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
  std::vector<Key> keys;    // one an object, in their order
  std::vector<Held> locks;  // held at any time in the step, one a lock, in their order
  std::vector<Touch>
      touches;  // atomic, or under a lock, in the order of addresses; none if the reduction does not look at them
};
using FootprintRef = std::shared_ptr<const Footprint>;

// Is there a lock in both that one of them holds for writing?
bool exclude(const std::vector<Held>& a, const std::vector<Held>& b);

// Of steps of different actors. Cost: linear in the footprints.
bool dependent(const Footprint& a, const Footprint& b);

// All locks a step holds at any time, or held in what it repeats; a lock held in both modes counts as written.
std::vector<Held> locks_of(const Step& step, bool with_looks = false);

}  // namespace heddle::explore
