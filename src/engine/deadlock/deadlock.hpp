// The lock dependency relation of a history (checker/deadlock/relation.hpp), with the order of the running program:
// deadlocks of some schedule of the same input, whichever schedule was recorded. docs/deadlocks.md has the
// definition.
#pragma once

#include "engine/engine.hpp"

namespace heddle::engine {

std::unique_ptr<Engine> make_deadlock(const Options& options);

}  // namespace heddle::engine
