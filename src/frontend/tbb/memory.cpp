// Memory that oneTBB allocates: earlier accesses do not count. Elements of an enumerable_thread_specific belong to
// the thread that requested them.
#include "frontend/tbb/tasks.hpp"
#include "runtime/state/code_classes.hpp"

namespace heddle::tbb {
namespace {

void* given(void* block, usize size, uptr caller) {
  ThreadState* thread = self();
  if (!thread || !block || !size) return block;
  Undisturbed guard(*thread);
  new_memory(address_of(block), size);
  if (code::g_any && code::on_behalf_of(*thread, caller, CodeClass::kPerThread))
    bind_to_thread(address_of(block), size);
  return block;
}

// The program's own allocations and frees count as malloc and free.
void* allocated(void* block, usize size, uptr caller) {
  ThreadState* thread = observed();
  if (!thread || !block || origin_of(caller) != Origin::kProgram || code::ignores(*thread, caller))
    return given(block, size, caller);
  Undisturbed guard(*thread);
  heap_allocated(*thread, address_of(block), size ? size : 1, caller);
  return block;
}
void freed(void* block, uptr caller) {
  ThreadState* thread = observed();
  if (!thread || !block) return;
  if (origin_of(caller) == Origin::kProgram && !code::ignores(*thread, caller))
    heap_freed(*thread, address_of(block), caller);
  else
    rt().heap.remove(address_of(block));
}

}  // namespace
}  // namespace heddle::tbb

using namespace heddle;

HEDDLE_TBB(void*, allocate, "8allocateERPNS0_2d117small_object_poolEm", void** pool, usize size) {
  return tbb::given(real_allocate(pool, size), size, HEDDLE_CALLER);
}
HEDDLE_TBB(void*, allocate_in, "8allocateERPNS0_2d117small_object_poolEmRKNS2_14execution_dataE", void** pool,
           usize size, const void* execution_data) {
  return tbb::given(real_allocate_in(pool, size, execution_data), size, HEDDLE_CALLER);
}
HEDDLE_TBB(void*, allocate_memory, "15allocate_memoryEm", usize size) {
  return tbb::given(real_allocate_memory(size), size, HEDDLE_CALLER);
}
HEDDLE_TBB(void*, cache_aligned_allocate, "22cache_aligned_allocateEm", usize size) {
  return tbb::given(real_cache_aligned_allocate(size), size, HEDDLE_CALLER);
}

// libtbbmalloc
HEDDLE_INTERPOSE(void*, scalable_malloc, usize size) {
  return tbb::allocated(real_scalable_malloc(size), size, HEDDLE_CALLER);
}
HEDDLE_INTERPOSE(void*, scalable_calloc, usize count, usize size) {
  return tbb::allocated(real_scalable_calloc(count, size), count * size, HEDDLE_CALLER);
}
HEDDLE_INTERPOSE(void*, scalable_aligned_malloc, usize size, usize alignment) {
  return tbb::allocated(real_scalable_aligned_malloc(size, alignment), size, HEDDLE_CALLER);
}
HEDDLE_INTERPOSE(int, scalable_posix_memalign, void** block, usize alignment, usize size) {
  const int error = real_scalable_posix_memalign(block, alignment, size);
  if (!error) tbb::allocated(*block, size, HEDDLE_CALLER);
  return error;
}
HEDDLE_INTERPOSE(void*, scalable_realloc, void* block, usize size) {
  tbb::freed(block, HEDDLE_CALLER);
  return tbb::allocated(real_scalable_realloc(block, size), size, HEDDLE_CALLER);
}
HEDDLE_INTERPOSE(void*, scalable_aligned_realloc, void* block, usize size, usize alignment) {
  tbb::freed(block, HEDDLE_CALLER);
  return tbb::allocated(real_scalable_aligned_realloc(block, size, alignment), size, HEDDLE_CALLER);
}
HEDDLE_INTERPOSE(void*, _ZN3rml11pool_mallocEPNS_10MemoryPoolEm, void* pool, usize size) {
  return tbb::allocated(real__ZN3rml11pool_mallocEPNS_10MemoryPoolEm(pool, size), size, HEDDLE_CALLER);
}
HEDDLE_INTERPOSE(void*, _ZN3rml12pool_reallocEPNS_10MemoryPoolEPvm, void* pool, void* block, usize size) {
  return tbb::allocated(real__ZN3rml12pool_reallocEPNS_10MemoryPoolEPvm(pool, block, size), size,
                        HEDDLE_CALLER);
}
HEDDLE_INTERPOSE(void, scalable_free, void* block) {
  tbb::freed(block, HEDDLE_CALLER);
  real_scalable_free(block);
}
HEDDLE_INTERPOSE(void, scalable_aligned_free, void* block) {
  tbb::freed(block, HEDDLE_CALLER);
  real_scalable_aligned_free(block);
}
HEDDLE_INTERPOSE(bool, _ZN3rml9pool_freeEPNS_10MemoryPoolEPv, void* pool, void* block) {
  tbb::freed(block, HEDDLE_CALLER);
  return real__ZN3rml9pool_freeEPNS_10MemoryPoolEPv(pool, block);
}
