// Atomicity violations of every schedule of this input, from one history: the rules of checker/atomicity/pairs.hpp,
// which `heddle run` follows too, over all of memory or what is named. Here the singles have a list of their own.
#pragma once

#include "engine/engine.hpp"

namespace heddle::engine {

std::unique_ptr<Engine> make_atomicity(const Options& options);

}  // namespace heddle::engine
