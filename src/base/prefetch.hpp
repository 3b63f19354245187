// Asks for a line of cache that will be needed soon.
//
// Not by the compiler's own word for it: GCC 12 takes a function that does nothing but that for one that does
// nothing, and leaves its calls out.
#pragma once

#include "base/types.hpp"

namespace heddle {

HEDDLE_INLINE void prefetch(const void* at) {
  asm volatile("prefetcht0 %0" : : "m"(*static_cast<const char*>(at)));
}

}  // namespace heddle
