// File descriptors that synchronise: a read from a pipe, an eventfd or a socket acquires from the writes to it.
//
// A descriptor has a channel it writes to and one it reads from. The two ends of a pipe share a channel, the two of a
// socket pair have one for each direction, an eventfd has one for both. Other sockets share one channel for the whole
// process, as their connections are not known: that orders too much rather than too little. Files do not synchronise.
// Thread safety: any thread may call anything.
#pragma once

#include "base/types.hpp"

namespace heddle::libc::descriptors {

// Around the real call: before a write, after a read that got something. `caller` is the return address of the hook.
void before_write(int descriptor, uptr caller);
void after_read(int descriptor, uptr caller);

}  // namespace heddle::libc::descriptors
