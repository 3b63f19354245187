// omp_alloc and its allocators. All memory is the program's heap; of the traits, alignment, pool size and fallback
// have an effect.
#include <stdlib.h>

#include "control/openmp/core.hpp"

namespace heddle::gomp {
namespace {

// As in GCC's omp.h.
enum Key : int {
  kSyncHint = 1,
  kAlignment,
  kAccess,
  kPoolSize,
  kFallback,
  kFallbackData,
  kPinned,
  kPartition
};
enum Value : uptr { kDefaultMemory = 11, kNull, kAbort, kOther };
constexpr uptr kDefaultAllocator = 1, kLastPredefined = 8;

struct Trait {
  int key;
  uptr value;
};

struct Allocator {
  usize alignment = 1;
  usize pool_size = ~usize{0};
  usize used = 0;
  uptr fallback = kDefaultMemory;
  uptr fallback_allocator = 0;
};

// In front of each block.
struct Header {
  void* base;
  usize size;
  Allocator* allocator;
  u64 unused;
};

Allocator* custom(uptr allocator) {
  return allocator > kLastPredefined ? reinterpret_cast<Allocator*>(allocator) : nullptr;
}

void* allocate(usize alignment, usize size, uptr handle, bool zeroed) {
  Thread& thread = self();
  if (size == 0) return nullptr;
  if (!handle) handle = thread.task->settings.allocator;
  Allocator* allocator = custom(handle);
  if (allocator && allocator->alignment > alignment) alignment = allocator->alignment;
  if (alignment < alignof(Header)) alignment = alignof(Header);
  usize all = size + alignment + sizeof(Header);
  bool fits = all > size && (!allocator || size <= allocator->pool_size - allocator->used);
  void* base = fits ? (zeroed ? calloc(1, all) : malloc(all)) : nullptr;
  if (!base) {
    if (!allocator || allocator->fallback == kNull) return nullptr;
    if (allocator->fallback == kAbort)
      stop("omp_alloc: the pool is exhausted, and the allocator's fallback is abort");
    return allocate(alignment, size,
                    allocator->fallback == kOther ? allocator->fallback_allocator : kDefaultAllocator,
                    zeroed);
  }
  uptr block = (reinterpret_cast<uptr>(base) + sizeof(Header) + alignment - 1) & ~(alignment - 1);
  reinterpret_cast<Header*>(block)[-1] = {base, size, allocator, 0};
  if (allocator) allocator->used += size;
  fresh_memory(reinterpret_cast<void*>(block), size);
  return reinterpret_cast<void*>(block);
}

void deallocate(void* block) {
  if (!block) return;
  self();
  Header header = static_cast<Header*>(block)[-1];
  if (header.allocator) header.allocator->used -= header.size;
  free(header.base);
}

bool overflows(usize count, usize size) {
  usize all;
  return __builtin_mul_overflow(count, size, &all);
}

}  // namespace
}  // namespace heddle::gomp

using namespace heddle;
using namespace heddle::gomp;

HEDDLE_GOMP_ENTRY uptr omp_init_allocator(uptr, int count, const Trait* traits) {
  self();
  auto* allocator = memory::make<Allocator>();
  for (int i = 0; i < count; ++i) {
    uptr value = traits[i].value;
    if (value == ~uptr{0}) continue;  // the default
    if (traits[i].key == kAlignment) allocator->alignment = value;
    if (traits[i].key == kPoolSize) allocator->pool_size = value;
    if (traits[i].key == kFallback) allocator->fallback = value;
    if (traits[i].key == kFallbackData) allocator->fallback_allocator = value;
  }
  return reinterpret_cast<uptr>(allocator);
}
HEDDLE_GOMP_ENTRY void omp_destroy_allocator(uptr allocator) {
  if (Allocator* own = custom(allocator)) memory::destroy(own);
}
HEDDLE_GOMP_ENTRY void omp_set_default_allocator(uptr allocator) {
  self().task->settings.allocator = allocator ? allocator : kDefaultAllocator;
}
HEDDLE_GOMP_ENTRY uptr omp_get_default_allocator() { return self().task->settings.allocator; }

HEDDLE_GOMP_ENTRY void* omp_aligned_alloc(usize alignment, usize size, uptr allocator) {
  return allocate(alignment, size, allocator, false);
}
HEDDLE_GOMP_ENTRY void* omp_alloc(usize size, uptr allocator) { return allocate(1, size, allocator, false); }
HEDDLE_GOMP_ENTRY void* omp_aligned_calloc(usize alignment, usize count, usize size, uptr allocator) {
  return overflows(count, size) ? nullptr : allocate(alignment, count * size, allocator, true);
}
HEDDLE_GOMP_ENTRY void* omp_calloc(usize count, usize size, uptr allocator) {
  return overflows(count, size) ? nullptr : allocate(1, count * size, allocator, true);
}
HEDDLE_GOMP_ENTRY void omp_free(void* block, uptr) { deallocate(block); }
HEDDLE_GOMP_ENTRY void* omp_realloc(void* block, usize size, uptr allocator, uptr) {
  if (!block) return allocate(1, size, allocator, false);
  Header header = static_cast<Header*>(block)[-1];
  if (!allocator) allocator = reinterpret_cast<uptr>(header.allocator);
  void* moved = allocate(1, size, allocator, false);
  if (moved) memcpy(moved, block, size < header.size ? size : header.size);
  if (moved || size == 0) deallocate(block);
  return moved;
}

// The allocate clause; running out of memory ends the program.
HEDDLE_GOMP_ENTRY void* GOMP_alloc(usize alignment, usize size, uptr allocator) {
  void* block = allocate(alignment, size, allocator, false);
  if (!block && size) stop("no memory left for an allocate clause");
  return block;
}
HEDDLE_GOMP_ENTRY void GOMP_free(void* block, uptr) { deallocate(block); }
