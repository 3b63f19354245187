// A call that an exception of the program may leave: `after(data)` follows in either case. In C, as the runtime has
// no C++ library to unwind with; GCC's cleanup attribute needs only what every program has.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

void heddle_protected_call(void (*call)(void*), void* data, void (*after)(void*));

#ifdef __cplusplus
}
#endif
