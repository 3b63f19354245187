// The lock dependency relation of a history (checker/deadlock/relation.hpp), with the order of the running program:
// deadlocks that some schedule of the same input may have, whichever this one was. docs/deadlocks.md has the
// definition.
#pragma once

#include "engine/engine.hpp"

namespace heddle::engine {

std::unique_ptr<Engine> make_deadlock(const Options& options);

}  // namespace heddle::engine
