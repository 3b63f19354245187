// The oracle of atomicity: every triple of accesses of a history, decided by the computation graph and the locks.
// Written from the definition, and slow; the engine is right when it equals this.
//
// Accesses a, b of one step, a before b, are broken by c if c's step is parallel to theirs by structure, all three
// touch a byte that is not new memory in between, c conflicts with both, c is not bound to the thread of one of them,
// and at some moment from a to b their task holds no lock that excludes those held at c. If any data is named atomic,
// only that counts; an access to a member of a group then touches the group's first byte and no other byte of the
// group.
#pragma once

#include <array>
#include <map>
#include <set>

#include "engine/atomicity/atomic_data.hpp"
#include "event/event.hpp"

namespace heddle::engine {

using EventTriple = std::array<u32, 3>;  // the numbers of a, c and b in the history

struct AllTriples {
  // `steps`: a number for the step of each event, from who knows better than event::ends_step; none: nobody does.
  explicit AllTriples(const event::History& history, const AtomicRanges& atomic = {},
                      const std::vector<u64>& steps = {});

  std::set<u64> broken;                          // bytes
  std::map<EventTriple, std::set<u64>> triples;  // the bytes they touch
};

}  // namespace heddle::engine
