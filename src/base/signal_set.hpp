// Sets of signals, where the C library's functions for them may be the program's.
#pragma once

#include <signal.h>

#include "base/types.hpp"

namespace heddle {

// As the kernel has it. (The C library's type has room for more signals than there are.)
inline u64 word_of(const sigset_t& set) { return set.__val[0]; }

inline sigset_t only(int signal) {
  sigset_t set = {};
  set.__val[0] = u64{1} << (signal - 1);
  return set;
}

// All but the two that the C library needs itself, to cancel threads and to change user ids.
inline void fill(sigset_t& set) {
  constexpr u64 kOfTheLibrary = u64{3} << 31;
  set = {};
  set.__val[0] = ~kOfTheLibrary;
}

}  // namespace heddle
