// Streams under the verification runtime: whoever has locked one (flockfile) excludes the others, and one that has
// nothing to give is waited for like its descriptor.
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
