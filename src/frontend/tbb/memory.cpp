// Memory that oneTBB gives out: what was there before does not matter any more. Elements of an enumerable_thread_specific belong to the
// thread that has asked for them.
#include "frontend/tbb/tasks.hpp"
#include "runtime/code_classes.hpp"

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
  return tbb::given(real_scalable_malloc(size), size, HEDDLE_CALLER);
}
HEDDLE_INTERPOSE(void*, scalable_calloc, usize count, usize size) {
  return tbb::given(real_scalable_calloc(count, size), count * size, HEDDLE_CALLER);
}
HEDDLE_INTERPOSE(void*, scalable_aligned_malloc, usize size, usize alignment) {
  return tbb::given(real_scalable_aligned_malloc(size, alignment), size, HEDDLE_CALLER);
}
HEDDLE_INTERPOSE(int, scalable_posix_memalign, void** block, usize alignment, usize size) {
  const int error = real_scalable_posix_memalign(block, alignment, size);
  if (!error) tbb::given(*block, size, HEDDLE_CALLER);
  return error;
}
HEDDLE_INTERPOSE(void*, scalable_realloc, void* block, usize size) {
  return tbb::given(real_scalable_realloc(block, size), size, HEDDLE_CALLER);
}
HEDDLE_INTERPOSE(void*, scalable_aligned_realloc, void* block, usize size, usize alignment) {
  return tbb::given(real_scalable_aligned_realloc(block, size, alignment), size, HEDDLE_CALLER);
}
HEDDLE_INTERPOSE(void*, _ZN3rml11pool_mallocEPNS_10MemoryPoolEm, void* pool, usize size) {
  return tbb::given(real__ZN3rml11pool_mallocEPNS_10MemoryPoolEm(pool, size), size, HEDDLE_CALLER);
}
HEDDLE_INTERPOSE(void*, _ZN3rml12pool_reallocEPNS_10MemoryPoolEPvm, void* pool, void* block, usize size) {
  return tbb::given(real__ZN3rml12pool_reallocEPNS_10MemoryPoolEPvm(pool, block, size), size, HEDDLE_CALLER);
}
