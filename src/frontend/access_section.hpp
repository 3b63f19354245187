// The hooks of plain accesses are in one section, so that a signal handler can detect that it interrupted one.
// Between a hook's read of an access set and its write, nothing else may check or change that set: the price of a
// path without a flag.
#pragma once

#include <ucontext.h>

extern "C" __attribute__((visibility("hidden"))) const char __start_heddle_access[];
extern "C" __attribute__((visibility("hidden"))) const char __stop_heddle_access[];

#define HEDDLE_IN_ACCESS_SECTION __attribute__((section("heddle_access")))

namespace heddle {

// `context`: the third argument of a handler.
inline bool interrupts_an_access(const void* context) {
  auto pc = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
  auto* at = reinterpret_cast<const char*>(pc);
  return at >= __start_heddle_access && at < __stop_heddle_access;
}

}  // namespace heddle
