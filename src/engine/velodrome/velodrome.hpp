// Velodrome (Flanagan, Freund, Yi 2008): is the observed history conflict-serialisable, with steps as transactions?
//
// A graph of transactions: an edge leads from the transaction of one access to that of a later one that conflicts
// with it, from a task's step to its next, from fork to child, from child to join, from signal to await. A cycle
// shows that no serial order has the same conflicts. This holds for the observed schedule only, but covers cycles
// through several locations and more than two steps. A transaction that has ended and has no incoming edges can never
// be part of a cycle: it is removed with its outgoing edges.
//
// Deviation from the paper: acquisitions of one lock do not conflict with each other. Only the protected accesses do:
// two critical sections in one step that share nothing with the section between them can be serialised.
#pragma once

#include "engine/engine.hpp"

namespace heddle::engine {

std::unique_ptr<Engine> make_velodrome(const Options& options);

}  // namespace heddle::engine
