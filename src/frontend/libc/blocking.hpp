// Calls that wait for a descriptor, under the verification runtime: what another actor must do first is waited for at
// a choice point, what comes from outside of the program is waited for without the baton.
#pragma once

#include <poll.h>

#include "control/control.hpp"
#include "frontend/interpose.hpp"

namespace heddle::libc {

// Returns when the call will not block. False: a signal has come instead, and errno is EINTR.
bool wait_until_ready(int descriptor, short events, uptr caller);

inline bool ready_to_read(int descriptor, uptr caller) {
  return !control::active() || wait_until_ready(descriptor, POLLIN, caller);
}
inline bool ready_to_write(int descriptor, uptr caller) {
  return !control::active() || wait_until_ready(descriptor, POLLOUT, caller);
}

// A write, which in the case of a pipe or a socket may have to wait in its middle. Flags are those of send().
ssize_t write_all(int descriptor, const void* from, usize size, int flags, uptr caller);

}  // namespace heddle::libc
