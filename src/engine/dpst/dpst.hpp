// Heddle's own engine, the one of `heddle run`, on a history: the order of order/structure.hpp and the race checker
// of checker/race/race_checker.hpp over a paged shadow. The same code decides, so a recorded history and a checked
// run agree.
//
// Certain races are the engine's races; predicted ones (unordered by structure, ordered by the lock order of this
// run) are counted. New memory clears its cells; accesses bound to one thread do not race.
#pragma once

#include "engine/engine.hpp"

namespace heddle::engine {

std::unique_ptr<Engine> make_dpst(const Options& options);

}  // namespace heddle::engine
