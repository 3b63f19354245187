// The usual mode: what a strand touches becomes pending, and is checked for races when the strand ends.
#pragma once

#include "runtime/state/access_mode.hpp"

namespace heddle::race_mode {

void words(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc);
void bytes(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc);
void range(ThreadState& thread, uptr address, usize size, u64 flags, uptr pc);
extern const AccessMode kMode;

}  // namespace heddle::race_mode
