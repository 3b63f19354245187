// Accesses to annotated data that are checked one by one: bytes, atomic operations, groups, and everything inside a
// region.
#pragma once

#include "runtime/state/thread_state.hpp"

namespace heddle::annotated {

// Takes an access inside one block, if it must: to a block with annotated data, or in a region. False: it is like any
// other.
bool take(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc);

}  // namespace heddle::annotated
