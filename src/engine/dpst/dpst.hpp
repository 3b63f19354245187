// Heddle's own engine, the one of `heddle run`, fed by a history: the order of order/structure.hpp and the race
// checker of checker/race/race_checker.hpp over a paged shadow. The same code judges, so a recorded history and a
// watched run agree.
//
// Certain races are the engine's races; predicted ones (unordered by structure, kept apart by the lock order of this
// run) are counted. New memory clears its cells; accesses that are bound to one thread do not race.
#pragma once

#include "engine/engine.hpp"

namespace heddle::engine {

std::unique_ptr<Engine> make_dpst(const Options& options);

}  // namespace heddle::engine
