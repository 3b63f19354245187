// The malloc family for the hooks of this folder: memory from libc, noted as the program's.
#pragma once

#include "frontend/interpose.hpp"

namespace heddle::libc {

// `caller` is the return address of the hook that the program called, `frame` that hook's frame address.
void* allocate(usize size, uptr caller, void* frame);
void* allocate_zeroed(usize count, usize size, uptr caller, void* frame);
void* allocate_aligned(usize alignment, usize size, uptr caller, void* frame);
void* reallocate(void* block, usize size, uptr caller, void* frame);
void release(void* block, uptr caller);

// Like malloc and free, for the libraries' use of them: if the program defines its own, those.
void* allocate_by_malloc(usize size, uptr caller, void* frame);
void release_by_free(void* block, uptr caller);

#define HEDDLE_ALLOCATOR_CALL HEDDLE_CALLER, __builtin_frame_address(0)

}  // namespace heddle::libc
