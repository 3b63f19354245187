// Where the calling thread's static storage is found from, and where the C library keeps its own data of the thread.
#pragma once

#include "base/types.hpp"

namespace heddle {

inline uptr thread_pointer() {
  uptr pointer;
  asm("mov %%fs:0, %0" : "=r"(pointer));
  return pointer;
}

}  // namespace heddle
