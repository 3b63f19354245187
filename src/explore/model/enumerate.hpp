// The oracle: all behaviours of a program of the model, by brute force. Nothing here is clever.
#pragma once

#include <set>

#include "explore/analysis.hpp"
#include "explore/model/machine.hpp"

namespace heddle::explore::model {

struct Truth {
  bool race = false;  // in some state the next accesses of two actors conflict and are not both atomic
  // In some state no actor is enabled, and one that has not ended is not merely polling. An actor that polls is
  // enabled again after a change.
  bool deadlock = false;
  u64 states = 0;
};

// All interleavings of single instructions, each state once.
Truth enumerate_instructions(const Program& program);

// All interleavings of steps, each maximal one as a sequence of actors. Those that differ by swapping adjacent
// independent steps form one class. For programs without races.
struct Classes {
  u64 interleavings = 0;
  u64 classes = 0;
  bool closed = true;  // each swap was an interleaving, too
};
Classes enumerate_interleavings(const Program& program, const Reduction& reduction, Cuts cuts);

// The classes as partial orders: sequences grow by one step at a time, and only one is kept per partial order. This
// visits fewer sequences, so it allows larger programs; it must equal the former.
std::set<Digest> enumerate_orders(const Program& program, const Reduction& reduction, Cuts cuts);

}  // namespace heddle::explore::model
