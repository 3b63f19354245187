/* Annotations. Without Heddle they expand to nothing and cost nothing.

   Atomicity (docs/atomicity.md), for `heddle run --check=atomicity`. C++ programs include heddle/annotate.hpp instead.

     HEDDLE_ATOMIC_LOCATION(x)        the accesses of one step to x are meant to be atomic. A step is what a task does
                                      between two constructs that create or await tasks
     HEDDLE_ATOMIC_GROUP(a, b, ...)   the same for two to eight related variables: an access to one counts for all
     HEDDLE_ATOMIC_RANGE(p, size)     the same for bytes, each by itself
     HEDDLE_NOT_ATOMIC(x)             ends the annotation. Local variables need it before their scope ends; freeing
                                      memory ends its annotations
     HEDDLE_ATOMIC_REGION_BEGIN()     everything the task does from here to the end is meant to be atomic
     HEDDLE_ATOMIC_REGION_END()

   Permission regions, as in Westbrook et al., Practical permissions for race-free parallelism (2012), and Mercer et
   al., Model checking task parallel programs using gradual permissions (2015): between acquire and release a task
   declares that it reads (R) or writes (W) a range.

   They are for the baseline `heddle prove --policy=gpr`, which explores the orders of permission regions instead of
   those of critical sections: there the beginning of a region is a choice point. Everywhere else they do nothing. */
#ifndef HEDDLE_ANNOTATE_H
#define HEDDLE_ANNOTATE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef HEDDLE
unsigned __heddle_new_atomic_group(void);
void __heddle_atomic(const volatile void* address, size_t size, unsigned group);
void __heddle_not_atomic(const volatile void* address, size_t size);
void __heddle_begin_atomic_region(void);
void __heddle_end_atomic_region(void);
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

#ifdef HEDDLE
#define HEDDLE_ATOMIC_RANGE(p, size) __heddle_atomic(p, size, 0)
#define HEDDLE_NOT_ATOMIC(x) __heddle_not_atomic(&(x), sizeof(x))
/* The byte says to the runtime at program start that the program may use regions. */
#define HEDDLE_ATOMIC_REGION_BEGIN()                                                 \
  do {                                                                               \
    __asm__ __volatile__(".pushsection heddle_regions,\"a\"\n.byte 1\n.popsection"); \
    __heddle_begin_atomic_region();                                                  \
  } while (0)
#define HEDDLE_ATOMIC_REGION_END() __heddle_end_atomic_region()
#define HEDDLE_IN_GROUP(x) __heddle_atomic(&(x), sizeof(x), heddle_group)
#else
#define HEDDLE_ATOMIC_RANGE(p, size) ((void)0)
#define HEDDLE_NOT_ATOMIC(x) ((void)0)
#define HEDDLE_ATOMIC_REGION_BEGIN() ((void)0)
#define HEDDLE_ATOMIC_REGION_END() ((void)0)
#endif
#define HEDDLE_ATOMIC_LOCATION(x) HEDDLE_ATOMIC_RANGE(&(x), sizeof(x))

#ifdef HEDDLE
#define HEDDLE_GROUP_1(x) HEDDLE_IN_GROUP(x)
#define HEDDLE_GROUP_2(x, ...) (HEDDLE_IN_GROUP(x), HEDDLE_GROUP_1(__VA_ARGS__))
#define HEDDLE_GROUP_3(x, ...) (HEDDLE_IN_GROUP(x), HEDDLE_GROUP_2(__VA_ARGS__))
#define HEDDLE_GROUP_4(x, ...) (HEDDLE_IN_GROUP(x), HEDDLE_GROUP_3(__VA_ARGS__))
#define HEDDLE_GROUP_5(x, ...) (HEDDLE_IN_GROUP(x), HEDDLE_GROUP_4(__VA_ARGS__))
#define HEDDLE_GROUP_6(x, ...) (HEDDLE_IN_GROUP(x), HEDDLE_GROUP_5(__VA_ARGS__))
#define HEDDLE_GROUP_7(x, ...) (HEDDLE_IN_GROUP(x), HEDDLE_GROUP_6(__VA_ARGS__))
#define HEDDLE_GROUP_8(x, ...) (HEDDLE_IN_GROUP(x), HEDDLE_GROUP_7(__VA_ARGS__))
#define HEDDLE_NINTH(a, b, c, d, e, f, g, h, i, ...) i
#define HEDDLE_GROUP_OF(...)                                                                                \
  HEDDLE_NINTH(__VA_ARGS__, HEDDLE_GROUP_8, HEDDLE_GROUP_7, HEDDLE_GROUP_6, HEDDLE_GROUP_5, HEDDLE_GROUP_4, \
               HEDDLE_GROUP_3, HEDDLE_GROUP_2, HEDDLE_GROUP_1, HEDDLE_GROUP_1)
#define HEDDLE_ATOMIC_GROUP(...)                               \
  do {                                                         \
    const unsigned heddle_group = __heddle_new_atomic_group(); \
    HEDDLE_GROUP_OF(__VA_ARGS__)(__VA_ARGS__);                 \
  } while (0)
#else
#define HEDDLE_ATOMIC_GROUP(...) ((void)0)
#endif

#ifdef __cplusplus
}
#endif

#endif
