// First touches that are pending, in the sets of blocks and lines: the race check of all of them at once.
//
// REQUIRED before anything that ends the strand or changes what it knows or holds: flush_pending. A RuntimeScope calls
// it. Thread safety: the thread's own.
#pragma once

#include "runtime/races/block_sets.hpp"

namespace heddle {

// Checks the first touches that the current strand has made so far.
void flush_pending(ThreadState& thread);
// Those to this range only.
void flush_pending(ThreadState& thread, uptr begin, uptr end);
// The current task ends, and with it the life of this memory (its frames, its descriptor): what its last strand did
// there need neither be checked nor remembered where nobody else has been. REQUIRES: the memory is forgotten before
// anything else runs.
void drop_pending(ThreadState& thread, uptr begin, uptr end);

}  // namespace heddle
