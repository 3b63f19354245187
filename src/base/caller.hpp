// Where the function that expands this was called from: the program counter of a hook or of an intercepted function.
#pragma once

#include "base/types.hpp"

#define HEDDLE_CALLER reinterpret_cast<::heddle::uptr>(__builtin_return_address(0))
