// What the files of this folder share: the __tsan_* ABI is C, visible, and called by GCC and clang alike.
#pragma once

#include "runtime/access/access_path.hpp"
#include "runtime/runtime.hpp"

#define HEDDLE_HOOK extern "C" __attribute__((visibility("default")))
#define HEDDLE_PC reinterpret_cast<::heddle::uptr>(__builtin_return_address(0))
