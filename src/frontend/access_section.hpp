// The hooks of plain accesses lie together, so that a signal handler can tell whether it has interrupted one. Between
// looking at an access set and writing to it nothing else may judge or touch that set: it is the price of a path
// without a flag.
#pragma once

#include <ucontext.h>

extern "C" __attribute__((visibility("hidden"))) const char __start_heddle_access[];
extern "C" __attribute__((visibility("hidden"))) const char __stop_heddle_access[];

#define HEDDLE_IN_ACCESS_SECTION __attribute__((section("heddle_access")))

namespace heddle {

// `context`: what a handler gets as its third argument.
inline bool interrupts_an_access(const void* context) {
  auto pc = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
  auto* at = reinterpret_cast<const char*>(pc);
  return at >= __start_heddle_access && at < __stop_heddle_access;
}

}  // namespace heddle
