// A hybrid of locksets and order (after O'Callahan & Choi 2003, with the locksets of ALL-SETS, Cheng et al. 1998):
// two accesses race if they are unordered by forks, joins and signals, and no lock protects both. The order of
// critical sections in this run does not count, so one run covers all orders of its critical sections; the price is
// that a hand-over through a lock-protected queue looks like a race.
//
// This equals the races, certain and predicted, of Heddle's own engine. Eraser's rule (Savage et al. 1997: one set of
// locks for a location, whatever the order) would report every hand-over from parent to child.
//
// Each 64 bytes have a list of accesses with the locks held. An access is dropped when a later one that happens after
// it is as strong and holds no lock that it did not hold: every access that races with the first races with the
// second.
#pragma once

#include "engine/engine.hpp"

namespace heddle::engine {

std::unique_ptr<Engine> make_lockset(const Options& options);

}  // namespace heddle::engine
