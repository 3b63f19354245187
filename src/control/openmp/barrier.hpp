// Barriers: a member waits until all have arrived and all tasks of the team are complete. Meanwhile it runs such tasks.
#pragma once

#include "control/openmp/tool.hpp"

namespace heddle::gomp {

// True if the region was cancelled. Only a barrier that the program lets be cancelled ends by that.
bool pass_barrier(Thread& thread, ompt_sync_region_t kind, bool cancellable, const void* pc);

}  // namespace heddle::gomp
