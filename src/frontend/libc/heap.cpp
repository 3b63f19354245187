// malloc and its relatives. The memory is glibc's; the hooks note where blocks begin and end, so that a reused
// address has no earlier accesses, a free counts as a write to the whole block, and a report can name the allocation
// of a block.
//
// glibc exports its allocator under a second set of names, so nothing has to be looked up and the very first
// call works. In an exploration, memory comes from the heap of its actor (runtime/controlled/actor_heap.hpp).
#include "frontend/libc/heap.hpp"

#include <cerrno>

#include "runtime/controlled/actor_heap.hpp"
#include "runtime/state/code_classes.hpp"

extern "C" {
void* __libc_malloc(size_t);
void __libc_free(void*);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace heddle::libc {
namespace {

HEDDLE_NOINLINE void note_allocated_slowly(ThreadState& thread, uptr address, usize size, uptr caller,
                                           void* frame) {
  // Also where accesses are ignored, and in a runtime system: the memory is new in any case.
  if (!thread.active || is_runtime_system(origin_of(caller))) return new_memory(address, size);
  Undisturbed guard(thread);
  heap_allocated(thread, address, size, program_pc(thread, caller, frame));
}

HEDDLE_INLINE void* note_allocated(void* block, usize size, uptr caller, void* frame) {
  ThreadState* thread = self();
  if (!thread || !block) return block;
  if (size == 0) size = 1;  // still a separate block
  note_allocated_slowly(*thread, address_of(block), size, caller, frame);
  return block;
}

HEDDLE_INLINE void note_freed(void* block, uptr caller) {
  ThreadState* thread = observed();
  if (!thread || !block) return;
  Origin origin = origin_of(caller);
  if (is_runtime_system(origin)) return;
  // Libraries free shared objects by reference counts that are not seen (an exception in flight between threads), so
  // only the program's own frees are checked.
  if (origin == Origin::kProgram && !code::ignores(*thread, caller))
    heap_freed(*thread, address_of(block), caller);
  else
    rt().heap.remove(address_of(block));
}

// --- where the memory comes from ---------------------------------------------------------------------------

constexpr usize kUsual = 16;

void* raw_allocate(usize size) {
  void* block = actor_heap::allocate(size, kUsual, false);
  return block ? block : __libc_malloc(size);
}
void raw_release(void* block) {
  if (actor_heap::owns(block))
    actor_heap::release(block);
  else
    __libc_free(block);
}
void* raw_reallocate(void* block, usize size) {
  if (!actor_heap::owns(block)) return __libc_realloc(block, size);
  void* moved = raw_allocate(size);
  if (!moved) return nullptr;
  const usize before = actor_heap::size_of(block);
  __builtin_memcpy(moved, block, before < size ? before : size);
  actor_heap::release(block);
  return moved;
}

}  // namespace

void* allocate(usize size, uptr caller, void* frame) {
  return note_allocated(raw_allocate(size), size, caller, frame);
}

void* allocate_zeroed(usize count, usize size, uptr caller, void* frame) {
  usize bytes;
  void* block =
      __builtin_mul_overflow(count, size, &bytes) ? nullptr : actor_heap::allocate(bytes, kUsual, true);
  return note_allocated(block ? block : __libc_calloc(count, size), count * size, caller, frame);
}

void* allocate_aligned(usize alignment, usize size, uptr caller, void* frame) {
  void* block = actor_heap::allocate(size, alignment, false);
  return note_allocated(block ? block : __libc_memalign(alignment, size), size, caller, frame);
}

void release(void* block, uptr caller) {
  note_freed(block, caller);
  raw_release(block);
}

// The old block ends and a new one begins, even at the same address: any later use of the old one is wrong.
void* reallocate(void* block, usize size, uptr caller, void* frame) {
  if (!block) return allocate(size, caller, frame);
  if (size == 0) {  // glibc frees
    release(block, caller);
    return nullptr;
  }
  HeapBlock old;
  if (observed()) old = rt().heap.around(address_of(block));
  note_freed(block, caller);  // before another thread can get the memory
  void* moved = raw_reallocate(block, size);
  if (moved) return note_allocated(moved, size, caller, frame);
  if (old.size && old.base == address_of(block)) {  // out of memory: the old block stays valid
    new_memory(old.base, old.size);
    rt().heap.insert(old);
  }
  return nullptr;
}

}  // namespace heddle::libc

using namespace heddle;

HEDDLE_DEFINE(void*, malloc, size_t size) { return libc::allocate(size, HEDDLE_ALLOCATOR_CALL); }
HEDDLE_DEFINE(void*, calloc, size_t count, size_t size) {
  return libc::allocate_zeroed(count, size, HEDDLE_ALLOCATOR_CALL);
}
HEDDLE_DEFINE(void*, realloc, void* block, size_t size) {
  return libc::reallocate(block, size, HEDDLE_ALLOCATOR_CALL);
}
HEDDLE_DEFINE(void, free, void* block) { libc::release(block, HEDDLE_CALLER); }

// The hook by a name that is not the program's, and the function that the name resolves to.
extern "C" {
__attribute__((alias("malloc"), visibility("hidden"))) void* heddle_own_malloc(size_t size);
void* heddle_any_malloc(size_t size) asm("malloc");
void heddle_any_free(void* block) asm("free");
}
namespace {
bool program_has_malloc() { return !is_same_function(heddle_any_malloc, heddle_own_malloc); }
}  // namespace

void* libc::allocate_by_malloc(usize size, uptr caller, void* frame) {
  return program_has_malloc() ? heddle_any_malloc(size ? size : 1) : allocate(size, caller, frame);
}
void libc::release_by_free(void* block, uptr caller) {
  return program_has_malloc() ? heddle_any_free(block) : release(block, caller);
}

HEDDLE_DEFINE(void, cfree, void* block) { libc::release(block, HEDDLE_CALLER); }

HEDDLE_DEFINE(void*, reallocarray, void* block, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return libc::reallocate(block, bytes, HEDDLE_ALLOCATOR_CALL);
}

HEDDLE_DEFINE(void*, memalign, size_t alignment, size_t size) {
  return libc::allocate_aligned(alignment, size, HEDDLE_ALLOCATOR_CALL);
}
HEDDLE_DEFINE(void*, aligned_alloc, size_t alignment, size_t size) {
  return libc::allocate_aligned(alignment, size, HEDDLE_ALLOCATOR_CALL);
}
HEDDLE_DEFINE(int, posix_memalign, void** block, size_t alignment, size_t size) {
  bool power_of_two = alignment && (alignment & (alignment - 1)) == 0;
  if (!power_of_two || alignment % sizeof(void*) != 0) return EINVAL;
  void* made = libc::allocate_aligned(alignment, size, HEDDLE_ALLOCATOR_CALL);
  if (!made) return ENOMEM;
  *block = made;
  return 0;
}
HEDDLE_DEFINE(void*, valloc, size_t size) {
  return libc::allocate_aligned(4096, size, HEDDLE_ALLOCATOR_CALL);
}
HEDDLE_DEFINE(void*, pvalloc, size_t size) {
  size_t pages = (size + 4095) & ~size_t{4095};
  return libc::allocate_aligned(4096, pages, HEDDLE_ALLOCATOR_CALL);
}

// Memory beyond the requested size still has the accesses of earlier blocks: it is not offered.
HEDDLE_INTERPOSE(size_t, malloc_usable_size, void* block) {
  if (block && observed()) {
    HeapBlock known = rt().heap.around(address_of(block));
    if (known.base == address_of(block) && known.size && !known.freed) return known.size;
  }
  if (actor_heap::owns(block)) return actor_heap::size_of(block);
  return real_malloc_usable_size(block);
}
