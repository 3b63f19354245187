// Streams under the verification runtime: a locked stream (flockfile) excludes other threads, and a read from an
// empty one waits for its descriptor.
#pragma once

#include <cstdio>

#include "control/control.hpp"
#include "frontend/interpose.hpp"

namespace heddle::libc {

void wait_for_stream(FILE* stream, bool input, uptr caller);

inline void before_input(FILE* stream, uptr caller) {
  if (!control::active()) return;
  control::assume(control::Assumption::kInput);
  wait_for_stream(stream, true, caller);
}
inline void before_output(FILE* stream, uptr caller) {
  if (control::active()) wait_for_stream(stream, false, caller);
}

}  // namespace heddle::libc
