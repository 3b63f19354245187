/* Permission regions, as in Westbrook et al., Practical permissions for race-free parallelism (2012), and Mercer et al., Model checking task
   parallel programs using gradual permissions (2015): between acquire and release a task says that it reads (R) or writes (W) a range.

   They are for the baseline `heddle prove --policy=gpr`, which tries the orders of permission regions instead of those of critical
   sections: there the beginning of a region is a choice point. Everywhere else they do nothing, and without Heddle they are nothing. */
#ifndef HEDDLE_ANNOTATE_H
#define HEDDLE_ANNOTATE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef HEDDLE
void __heddle_begin_permission(const volatile void* address, size_t size, int write);
void __heddle_end_permission(const volatile void* address, size_t size, int write);
#define HEDDLE_BEGIN_PERMISSION(address, size, write) __heddle_begin_permission(address, size, write)
#define HEDDLE_END_PERMISSION(address, size, write) __heddle_end_permission(address, size, write)
#else
#define HEDDLE_BEGIN_PERMISSION(address, size, write) ((void)(address), (void)(size))
#define HEDDLE_END_PERMISSION(address, size, write) ((void)(address), (void)(size))
#endif

static inline void heddle_acquireR(const volatile void* address, size_t size) {
  HEDDLE_BEGIN_PERMISSION(address, size, 0);
}
static inline void heddle_acquireW(const volatile void* address, size_t size) {
  HEDDLE_BEGIN_PERMISSION(address, size, 1);
}
static inline void heddle_releaseR(const volatile void* address, size_t size) {
  HEDDLE_END_PERMISSION(address, size, 0);
}
static inline void heddle_releaseW(const volatile void* address, size_t size) {
  HEDDLE_END_PERMISSION(address, size, 1);
}

#ifdef __cplusplus
}
#endif

#endif
