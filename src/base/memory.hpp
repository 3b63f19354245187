// The runtime's own memory. The target's malloc is intercepted, so nothing of ours may come from it: small blocks are
// cut from mmap'ed chunks and kept in free lists by size class, large ones are mapped one by one. Thread-safe.
#pragma once

#include <new>
#include <utility>

#include "base/types.hpp"

namespace heddle::memory {

// Zeroed memory, 16-byte aligned. Ends the process with a clear message when the machine has no more.
void* allocate(usize bytes);
void* allocate_unzeroed(usize bytes);
void release(void* block, usize bytes);

// By a thread at its end: what it holds in stock goes to the others.
void thread_ends();
// Threads that never run at the same time need no stock of their own.
void share_everything();

// Whole pages, zeroed, straight from the kernel.
void* map(usize bytes);
void unmap(void* block, usize bytes);
// The same, beginning at a multiple of 2 MiB and in pages of that size, if the kernel has any: for what will be
// touched all over.
void* map_huge(usize bytes);
// The same in usual pages, which can become huge ones once enough of them are in use.
void* map_aligned(usize bytes);
void become_huge(void* block, usize bytes);
// For parts of a growing whole that is never freed: pages of 2 MiB once it is no longer small.
void* map_dense(usize bytes);

// Most bytes the runtime may hold from the kernel; 0: as many as there are. Beyond it the process ends with a clear
// message.
void set_limit(usize bytes);

// Bytes currently held from the kernel by all of the runtime.
usize mapped_bytes();

template <class T, class... Args>
T* make(Args&&... args) {
  return new (allocate_unzeroed(sizeof(T))) T(std::forward<Args>(args)...);
}
template <class T>
void destroy(T* object) {
  object->~T();
  release(object, sizeof(T));
}

}  // namespace heddle::memory
