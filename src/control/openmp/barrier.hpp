// Barriers: a member waits until all have arrived and all tasks of the team are complete. It runs such tasks
// meanwhile.
#pragma once

#include "control/openmp/tool.hpp"

namespace heddle::gomp {

// True if the region was cancelled. Cancellation ends only barriers that the program declares cancellable.
bool pass_barrier(Thread& thread, ompt_sync_region_t kind, bool cancellable, const void* pc);

}  // namespace heddle::gomp
