// Plain loads and stores: __tsan_read/write of 1 to 16 bytes, aligned or not, volatile or not, as one access or as the read and write
// of `x += 1` (clang's compound form), ranges, and the pointer to the virtual table.
#include "frontend/access_section.hpp"
#include "frontend/compiler/hooks.hpp"

using namespace heddle;

#define HEDDLE_ACCESS_HOOK HEDDLE_HOOK HEDDLE_IN_ACCESS_SECTION

namespace {
constexpr u64 kReadPlain = race::kPlain;
constexpr u64 kWritePlain = race::kPlain | race::kWrite;
HEDDLE_INLINE uptr at(void* pointer) { return reinterpret_cast<uptr>(pointer); }

HEDDLE_NOINLINE HEDDLE_IN_ACCESS_SECTION void access_not_aligned(ThreadState& thread, uptr address, u32 size,
                                                                 u64 flags, uptr pc) {
  if (of_whole_words(address, size))
    return access_whole_words(thread, address, size, flags & race::kWrite, pc);
  // Over the end of a block.
  if (size == 16 && (address & 7) == 0) {
    access_whole_words(thread, address, 8, flags & race::kWrite, pc);
    return access_whole_words(thread, address + 8, 8, flags & race::kWrite, pc);
  }
  access_small(thread, address, size, flags, pc);
}

// Whole words of one block for sure. Vector loops read sixteen bytes at any multiple of eight.
HEDDLE_INLINE bool aligned(uptr address, u32 size) {
  if (size < 16) return (address & (size - 1)) == 0;
  return (address & 7) == 0 && (address & (kBlockSize - 8)) != kBlockSize - 8;
}

// All of a first touch but its rare cases lies in the hook itself: streams over memory are nothing else. It must need no registers but those
// that a hook may change.
HEDDLE_INLINE void access(uptr address, u32 size, u64 flags, uptr pc) {
  ThreadState* thread = t_self;
  if (HEDDLE_UNLIKELY(!thread)) return;
  if (size < 4) return access_small(*thread, address, size, flags, pc);
  if (HEDDLE_UNLIKELY(!aligned(address, size))) return access_not_aligned(*thread, address, size, flags, pc);
  access_whole_words(*thread, address, size, flags & race::kWrite, pc);
}
}  // namespace

// A compound access is judged as its write: that covers the read.
#define HEDDLE_ACCESS(size)                                                                                 \
  HEDDLE_ACCESS_HOOK void __tsan_read##size(void* p) { access(at(p), size, kReadPlain, HEDDLE_PC); }        \
  HEDDLE_ACCESS_HOOK void __tsan_write##size(void* p) { access(at(p), size, kWritePlain, HEDDLE_PC); }      \
  HEDDLE_ACCESS_HOOK void __tsan_read_write##size(void* p) { access(at(p), size, kWritePlain, HEDDLE_PC); } \
  HEDDLE_ACCESS_HOOK void __tsan_volatile_read##size(void* p) {                                             \
    access(at(p), size, kReadPlain, HEDDLE_PC);                                                             \
  }                                                                                                         \
  HEDDLE_ACCESS_HOOK void __tsan_volatile_write##size(void* p) {                                            \
    access(at(p), size, kWritePlain, HEDDLE_PC);                                                            \
  }
#define HEDDLE_UNALIGNED(size)                                             \
  HEDDLE_ACCESS_HOOK void __tsan_unaligned_read##size(void* p) {           \
    access(at(p), size, kReadPlain, HEDDLE_PC);                            \
  }                                                                        \
  HEDDLE_ACCESS_HOOK void __tsan_unaligned_write##size(void* p) {          \
    access(at(p), size, kWritePlain, HEDDLE_PC);                           \
  }                                                                        \
  HEDDLE_ACCESS_HOOK void __tsan_unaligned_read_write##size(void* p) {     \
    access(at(p), size, kWritePlain, HEDDLE_PC);                           \
  }                                                                        \
  HEDDLE_ACCESS_HOOK void __tsan_unaligned_volatile_read##size(void* p) {  \
    access(at(p), size, kReadPlain, HEDDLE_PC);                            \
  }                                                                        \
  HEDDLE_ACCESS_HOOK void __tsan_unaligned_volatile_write##size(void* p) { \
    access(at(p), size, kWritePlain, HEDDLE_PC);                           \
  }

HEDDLE_ACCESS(1)
HEDDLE_ACCESS(2)
HEDDLE_ACCESS(4)
HEDDLE_ACCESS(8)
HEDDLE_ACCESS(16)
HEDDLE_UNALIGNED(2)
HEDDLE_UNALIGNED(4)
HEDDLE_UNALIGNED(8)
HEDDLE_UNALIGNED(16)

namespace {
HEDDLE_INLINE void range(void* p, usize size, u64 flags, uptr pc) {
  if (ThreadState* thread = self(); thread && thread->active) access_range(*thread, at(p), size, flags, pc);
}
}  // namespace

HEDDLE_ACCESS_HOOK void __tsan_read_range(void* p, usize size) { range(p, size, kReadPlain, HEDDLE_PC); }
HEDDLE_ACCESS_HOOK void __tsan_write_range(void* p, usize size) { range(p, size, kWritePlain, HEDDLE_PC); }

// A constructor that stores the pointer that is there already changes nothing another thread could see.
HEDDLE_ACCESS_HOOK void __tsan_vptr_update(void** vptr, void* value) {
  access(at(vptr), 8, *vptr == value ? kReadPlain : kWritePlain, HEDDLE_PC);
}
HEDDLE_ACCESS_HOOK void __tsan_vptr_read(void** vptr) { access(at(vptr), 8, kReadPlain, HEDDLE_PC); }
