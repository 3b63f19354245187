// Shared by the files of this folder: the __tsan_* ABI is C, visible, and called by GCC and clang.
#pragma once

#include "base/caller.hpp"
#include "runtime/access/access_path.hpp"
#include "runtime/runtime.hpp"

#define HEDDLE_HOOK extern "C" __attribute__((visibility("default")))
