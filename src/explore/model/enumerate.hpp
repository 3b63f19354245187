// The oracle: what a program of the model can do, found by doing all of it. Nothing here is clever.
#pragma once

#include <set>

#include "explore/analysis.hpp"
#include "explore/model/machine.hpp"

namespace heddle::explore::model {

struct Truth {
  bool race = false;  // in some state two actors are about to make accesses that conflict, not both atomic
  // In some state somebody has not ended, who does not just poll, and nobody can go on; who polls does so when there is
  // news.
  bool deadlock = false;
  u64 states = 0;
};

// All interleavings of single instructions, each state once.
Truth enumerate_instructions(const Program& program);

// All interleavings of steps, each maximal one as the actors that make them; those that differ by swapping two
// neighbours that do not depend on each other are of one class. For programs without races.
struct Classes {
  u64 interleavings = 0;
  u64 classes = 0;
  bool closed = true;  // each swap was an interleaving, too
};
Classes enumerate_interleavings(const Program& program, const Reduction& reduction, Cuts cuts);

// The classes by what they are, partial orders: sequences of steps grow by one step at a time, and those with the same
// partial order are kept once. Fewer to look at, so larger programs; must equal the former.
std::set<Digest> enumerate_orders(const Program& program, const Reduction& reduction, Cuts cuts);

}  // namespace heddle::explore::model
