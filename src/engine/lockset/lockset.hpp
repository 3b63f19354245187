// A hybrid of locksets and order (after O'Callahan & Choi 2003, with the locksets of ALL-SETS, Cheng et al. 1998):
// two accesses race if neither comes before the other by forks, joins and signals, and no lock protects both. Which
// critical section came first in this run does not count, so one run speaks for all orders of its critical sections;
// the price is that a hand-over through a lock-protected queue looks like a race.
//
// This equals the races, certain and predicted, of Heddle's own engine. Eraser's rule (Savage et al. 1997: one set of
// locks for a location, whatever the order) would report every hand-over from parent to child.
//
// Each 64 bytes have a list of accesses with the locks held. An access is forgotten when a later one that knows it is
// as strong and holds no lock that it did not hold: who races with the first races with the second.
#pragma once

#include "engine/engine.hpp"

namespace heddle::engine {

std::unique_ptr<Engine> make_lockset(const Options& options);

}  // namespace heddle::engine
