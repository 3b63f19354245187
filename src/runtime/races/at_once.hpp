// Checks at once, instead of when the strand ends: most strands of programs that hand over messages by atomics touch a
// few words only, and end. To keep them pending, in sets of blocks of which there will be nothing else, would cost
// more than the check itself.
//
// That is possible where it takes few steps: the granule has a cell of its own, and the access races with nothing that
// it remembers. So what a strand reports does not depend on it: all else becomes pending as ever. AtOnce says which of
// a strand's accesses try (state/thread_state.hpp).
//
// Thread safety: the thread's own.
#pragma once

#include "base/types.hpp"

namespace heddle {

struct ThreadState;

// Whole words of one granule. False if there is something left to do: they must become pending.
bool check_at_once(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc);

}  // namespace heddle
