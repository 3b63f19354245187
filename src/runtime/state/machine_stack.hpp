// Where the calling thread's stack lies.
//
// The C library would say it (pthread_getattr_np), but allocates memory for the answer. That may be the program's
// malloc, in a thread that is not attached yet: what it acquires there would be lost.
#pragma once

#include "base/types.hpp"

namespace heddle {

struct MachineStack {
  uptr low = 0, high = 0;
};

// First called by the initial thread. Cost: a few loads, but some system calls for the initial thread and where the C
// library is not known.
MachineStack find_machine_stack();

}  // namespace heddle
