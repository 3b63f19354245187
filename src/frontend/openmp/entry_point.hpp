// Wraps entry points of libomp: a function of that name in the executable comes first, and looks up the real one.
// Weak, because programs that can be built without OpenMP often define functions of these names for that case.
#pragma once

#include <dlfcn.h>

#define HEDDLE_ENTRY extern "C" __attribute__((visibility("default"), weak))

// In the wrapper: `real` is the library's function of the same name and type.
#define HEDDLE_FIND_REAL(function) \
  static auto real = reinterpret_cast<decltype(&function)>(dlsym(RTLD_NEXT, #function))
