// Accesses that the hook could not answer from what the strand has touched: whole words of one block, plain bytes of
// one line, others of one granule, ranges.
//
// What all modes share is done here. Then the access goes where its mode (mode.hpp) says.
#pragma once

#include "runtime/state/thread_state.hpp"

namespace heddle {

// Aligned, of 4, 8 or 16 bytes. Atomic ones only if the mode pends them.
void first_touch(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc);
// Plain, anywhere inside one line.
void first_touch_of_bytes(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc);
// Anything else inside one granule.
void access_bytes(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc);
// Any range; pc is the call's return address.
void access_range(ThreadState& thread, uptr address, usize size, u64 flags, uptr pc);
// Has the program memory there?
bool is_mapped(uptr address);

}  // namespace heddle
