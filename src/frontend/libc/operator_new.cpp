// C++ operator new and delete, all replaceable forms. Defined here, not left to libstdc++, so that a block's stack
// begins in the program. A C program links this too: throwing and the new handler come from libstdc++ if it is there.
#include <new>

#include "base/check.hpp"
#include "frontend/libc/heap.hpp"

extern "C" {
[[noreturn]] __attribute__((weak)) void heddle_throw_bad_alloc() asm("_ZSt17__throw_bad_allocv");
__attribute__((weak)) std::new_handler heddle_get_new_handler() asm("_ZSt15get_new_handlerv");
}

namespace {

using namespace heddle;

// Aligned allocations never come from the program's malloc.
void* get(usize size, usize alignment, uptr caller, void* frame) {
  return alignment ? libc::allocate_aligned(alignment, size, caller, frame)
                   : libc::allocate_by_malloc(size, caller, frame);
}

// [new.delete.single]: the handler is called until there is memory, there is no handler, or it throws.
void* get_or_throw(usize size, usize alignment, uptr caller, void* frame) {
  for (;;) {
    if (void* block = get(size, alignment, caller, frame)) return block;
    std::new_handler handler = heddle_get_new_handler ? heddle_get_new_handler() : nullptr;
    if (handler)
      handler();
    else if (heddle_throw_bad_alloc)
      heddle_throw_bad_alloc();
    else
      fatal("out of memory in operator new");
  }
}

// The nothrow forms return null where the others throw. A handler that throws would have to be caught here, which
// code without exceptions cannot; so they do not call it.
void* get_or_null(usize size, usize alignment, uptr caller, void* frame) {
  return get(size, alignment, caller, frame);
}

}  // namespace

#define HEDDLE_NEW(name, function, alignment, ...)           \
  HEDDLE_DEFINE(void*, name, size_t size __VA_ARGS__) {      \
    return function(size, alignment, HEDDLE_ALLOCATOR_CALL); \
  }
#define HEDDLE_DELETE(name, ...) \
  HEDDLE_DEFINE(void, name, void* block __VA_ARGS__) { libc::release_by_free(block, HEDDLE_CALLER); }
#define HEDDLE_DELETE_ALIGNED(name, ...) \
  HEDDLE_DEFINE(void, name, void* block, size_t __VA_ARGS__) { libc::release(block, HEDDLE_CALLER); }

// new, new[], and the same with alignment, nothrow, or both
HEDDLE_NEW(_Znwm, get_or_throw, 0)
HEDDLE_NEW(_Znam, get_or_throw, 0)
HEDDLE_NEW(_ZnwmRKSt9nothrow_t, get_or_null, 0, , const std::nothrow_t&)
HEDDLE_NEW(_ZnamRKSt9nothrow_t, get_or_null, 0, , const std::nothrow_t&)
HEDDLE_NEW(_ZnwmSt11align_val_t, get_or_throw, alignment, , size_t alignment)
HEDDLE_NEW(_ZnamSt11align_val_t, get_or_throw, alignment, , size_t alignment)
HEDDLE_NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, get_or_null, alignment, , size_t alignment,
           const std::nothrow_t&)
HEDDLE_NEW(_ZnamSt11align_val_tRKSt9nothrow_t, get_or_null, alignment, , size_t alignment,
           const std::nothrow_t&)

// delete, delete[], and the same with size, alignment, nothrow
HEDDLE_DELETE(_ZdlPv)
HEDDLE_DELETE(_ZdaPv)
HEDDLE_DELETE(_ZdlPvm, , size_t)
HEDDLE_DELETE(_ZdaPvm, , size_t)
HEDDLE_DELETE(_ZdlPvRKSt9nothrow_t, , const std::nothrow_t&)
HEDDLE_DELETE(_ZdaPvRKSt9nothrow_t, , const std::nothrow_t&)
HEDDLE_DELETE_ALIGNED(_ZdlPvSt11align_val_t)
HEDDLE_DELETE_ALIGNED(_ZdaPvSt11align_val_t)
HEDDLE_DELETE_ALIGNED(_ZdlPvmSt11align_val_t, , size_t)
HEDDLE_DELETE_ALIGNED(_ZdaPvmSt11align_val_t, , size_t)
HEDDLE_DELETE_ALIGNED(_ZdlPvSt11align_val_tRKSt9nothrow_t, , const std::nothrow_t&)
HEDDLE_DELETE_ALIGNED(_ZdaPvSt11align_val_tRKSt9nothrow_t, , const std::nothrow_t&)
