// Calls that wait for a descriptor, under the verification runtime: an event of another actor is awaited at a choice
// point, an event from outside of the program without the baton.
#pragma once

#include <poll.h>

#include "control/control.hpp"
#include "frontend/interpose.hpp"

namespace heddle::libc {

// Returns when the call will not block. False: a signal interrupted it, and errno is EINTR.
bool wait_until_ready(int descriptor, short events, uptr caller);

inline bool ready_to_read(int descriptor, uptr caller) {
  return !control::active() || wait_until_ready(descriptor, POLLIN, caller);
}
inline bool ready_to_write(int descriptor, uptr caller) {
  return !control::active() || wait_until_ready(descriptor, POLLOUT, caller);
}

// A write, which may block halfway on a pipe or a socket. Flags are those of send().
ssize_t write_all(int descriptor, const void* from, usize size, int flags, uptr caller);

}  // namespace heddle::libc
