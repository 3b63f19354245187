// Mapped memory is new memory, wherever it is; unmapped memory will be new when it is mapped again.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdarg>

#include "frontend/interpose.hpp"
#include "frontend/shared_mappings.hpp"

namespace {

using namespace heddle;

// Also for runtime systems and where accesses are ignored: the memory is new in any case.
void renew(void* address, usize size, int flags = 0) {
  if (self()) new_memory(address_of(address), size);
  if (flags & MAP_SHARED) shared_mappings::note(address, size);
}

}  // namespace

HEDDLE_INTERPOSE(void*, mmap, void* address, size_t size, int protection, int flags, int file, off_t offset) {
  void* mapped = real_mmap(address, size, protection, flags, file, offset);
  if (mapped != MAP_FAILED) renew(mapped, size, flags);
  return mapped;
}
HEDDLE_INTERPOSE(void*, mmap64, void* address, size_t size, int protection, int flags, int file,
                 off64_t offset) {
  void* mapped = real_mmap64(address, size, protection, flags, file, offset);
  if (mapped != MAP_FAILED) renew(mapped, size, flags);
  return mapped;
}
// Before the call: afterwards another thread may already have the range.
HEDDLE_INTERPOSE(int, munmap, void* address, size_t size) {
  renew(address, size);
  return real_munmap(address, size);
}

HEDDLE_REAL(void*, mremap, void*, size_t, size_t, int, void*);
HEDDLE_DEFINE(void*, mremap, void* address, size_t size, size_t new_size, int flags, ...) {
  void* wanted = nullptr;
  if (flags & MREMAP_FIXED) {
    va_list arguments;
    va_start(arguments, flags);
    wanted = va_arg(arguments, void*);
    va_end(arguments);
  }
  void* moved = real_mremap(address, size, new_size, flags, wanted);
  if (moved == MAP_FAILED) return moved;
  if (moved != address)
    renew(moved, new_size);
  else if (new_size > size)
    renew(static_cast<char*>(moved) + size, new_size - size);
  return moved;
}

// libc's own heap grows without this; the program's may use it.
HEDDLE_INTERPOSE(void*, sbrk, intptr_t increment) {
  void* before = real_sbrk(increment);
  if (before != reinterpret_cast<void*>(-1) && increment > 0) renew(before, static_cast<usize>(increment));
  return before;
}
