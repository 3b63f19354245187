// Task reductions: a copy of each reduced variable for every thread of the team.
#pragma once

#include "control/openmp/state.hpp"

namespace heddle::gomp {

// For the innermost taskgroup of the current task. `shared_with`: the same construct, already registered by another
// member.
void register_reductions(Thread& thread, uptr* data, const uptr* shared_with = nullptr);
// For a whole region, before its members begin.
void allocate_reductions(uptr* data, u32 threads);
void free_reductions(uptr* data);

}  // namespace heddle::gomp
