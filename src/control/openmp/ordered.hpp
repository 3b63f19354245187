// Ordered regions and doacross loops: iterations that wait for earlier ones.
#pragma once

#include "control/openmp/worksharing.hpp"

namespace heddle::gomp {

// Nothing in the chunk will enter the ordered region any more.
void end_ordered_chunk(Workshare& share, u64 chunk);

}  // namespace heddle::gomp
