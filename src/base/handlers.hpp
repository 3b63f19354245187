// What is to run when the process ends or is forked. atexit, at_quick_exit and pthread_atfork are functions of these,
// by names that cannot be the program's.
#pragma once

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): names of the C library and of the compiler
int __cxa_atexit(void (*run)(void*), void* argument, void* module) noexcept;
int __cxa_at_quick_exit(void (*run)(void*), void* module) noexcept;
int __register_atfork(void (*before)(), void (*in_parent)(), void (*in_child)(), void* module) noexcept;
extern void* __dso_handle __attribute__((visibility("hidden")));
// NOLINTEND(bugprone-reserved-identifier)
}

namespace heddle {

inline void at_exit(void (*run)(void*)) { __cxa_atexit(run, nullptr, &__dso_handle); }
inline void at_quick_exit(void (*run)(void*)) { __cxa_at_quick_exit(run, &__dso_handle); }
inline void at_fork(void (*before)(), void (*in_parent)(), void (*in_child)()) {
  __register_atfork(before, in_parent, in_child, &__dso_handle);
}

}  // namespace heddle
