// Atomicity violations of every schedule of this input, from one history: the rules of checker/atomicity/pairs.hpp,
// which `heddle run` follows too, over all of memory or the named data. Here the singles have a separate list.
#pragma once

#include "engine/engine.hpp"

namespace heddle::engine {

std::unique_ptr<Engine> make_atomicity(const Options& options);

}  // namespace heddle::engine
