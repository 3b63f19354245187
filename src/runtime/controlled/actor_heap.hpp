// The heap of an exploration's executions: each actor has a region of its own, the same in every execution.
//
// So where an actor's memory lies depends on what this actor has allocated and freed before, not on what others did
// meanwhile: what a step will touch is the same in another order of the others. The C library's heap would give the
// memory of one actor to another, and spend a dozen system calls on each thread.
//
// What another actor frees is not used again: when it is freed must not decide anything, either. Blocks that are larger
// than kLargest, those of threads that are no actors, and what no longer fits are the C library's, as are all before
// the executions part.
//
// Thread safety: for the holder of the baton.
#pragma once

#include "base/types.hpp"

namespace heddle::actor_heap {

constexpr usize kLargest = usize{1} << 20;

// Before the executions part: takes the addresses. Does nothing where there are not enough.
void reserve();
// In an execution.
void start();

// Null: ask the C library. `zeroed`: all of it is 0.
void* allocate(usize size, usize alignment, bool zeroed);
bool owns(const void* block);
// REQUIRES of all below: owns(block).
void release(void* block);
usize size_of(const void* block);

}  // namespace heddle::actor_heap
