// The condition that a call on a file descriptor waits for, for the verification runtime.
#pragma once

#include <poll.h>

#include "base/system_call.hpp"

namespace heddle {

struct DescriptorWish {
  int descriptor;
  short events;
};

// Errors and ends of files count, too: the call then reports them.
inline bool is_ready(void* wish_at) {
  const auto* wish = static_cast<const DescriptorWish*>(wish_at);
  pollfd one = {wish->descriptor, wish->events, 0};
  return system_call(SYS_poll, &one, 1, 0) != 0;
}

}  // namespace heddle
