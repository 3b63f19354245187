// Plain loads and stores: __tsan_read/write of 1 to 16 bytes, aligned or not, volatile or not, as one access or as
// the read and write of `x += 1` (the compound form), ranges, and the pointer to the virtual table.
#include "frontend/access_section.hpp"
#include "frontend/compiler/hooks.hpp"
#include "runtime/annotated/bounds.hpp"
#include "runtime/annotated/hook_path.hpp"

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
  // Crosses the end of a block.
  if (size == 16 && (address & 7) == 0) {
    access_whole_words(thread, address, 8, flags & race::kWrite, pc);
    return access_whole_words(thread, address + 8, 8, flags & race::kWrite, pc);
  }
  access_plain_bytes(thread, address, size, flags & race::kWrite, pc);
}

// Certainly whole words of one block. Vector loops read sixteen bytes at any multiple of eight.
HEDDLE_INLINE bool aligned(uptr address, u32 size) {
  if (size < 16) return (address & (size - 1)) == 0;
  return (address & 7) == 0 && (address & (kBlockSize - 8)) != kBlockSize - 8;
}

template <u32 size, u64 flags>
HEDDLE_INLINE void access_if_annotated(uptr address, uptr pc);

// If only annotated data matters, and this may be some: one for each size and kind.
template <u32 size, u64 flags>
HEDDLE_NOINLINE HEDDLE_IN_ACCESS_SECTION void access_unsettled(ThreadState& thread, uptr address, uptr pc) {
  constexpr bool write = (flags & race::kWrite) != 0;
  if (size >= 4 && HEDDLE_LIKELY(aligned(address, size))) {
    BlockSet& block = block_set(thread.sets, address);
    if (HEDDLE_LIKELY(block.tag == tag_of(thread.sets, address)) &&
        HEDDLE_LIKELY(touch_annotated_in_hook(thread, block, address, size, write, pc)))
      return;
    if (annotated::g_bounds.page_of(address)) first_touch(thread, address, size, flags, pc);
    return;
  }
  if (!annotated::g_bounds.page_of(address)) return;
  if (size < 4) return access_plain_bytes(thread, address, size, write, pc);
  if (of_whole_words(address, size)) return first_touch(thread, address, size, flags, pc);
  if (size == 16 && (address & 7) == 0) {  // crosses the end of a block
    access_if_annotated<8, flags>(address, pc);
    return access_if_annotated<8, flags>(address + 8, pc);
  }
  access_plain_bytes(thread, address, size, write, pc);
}
template <u32 size, u64 flags>
HEDDLE_INLINE void access_if_annotated(uptr address, uptr pc) {
  if (HEDDLE_LIKELY(!annotated::g_bounds.within_bounds(address))) return;
  ThreadState* thread = t_self;
  if (HEDDLE_UNLIKELY(!thread)) return;
  if (size >= 4) {
    const BlockSet& block = block_set(thread->sets, address);
    const u64 unknown = (flags & race::kWrite ? block.unwritten : block.unread) >> (address >> 2 & 63);
    if (block.tag == tag_of(thread->sets, address) && (unknown & ((u64{1} << (size / 4)) - 1)) == 0 &&
        aligned(address, size))
      return;
  }
  access_unsettled<size, flags>(*thread, address, pc);
}

// All of a first touch except its rare cases is in the hook itself: streaming over memory consists of first touches.
// It must need only the registers that a hook may change.
template <u32 size, u64 flags>
HEDDLE_INLINE void access(uptr address, uptr pc) {
  ThreadState* thread = t_all_accesses;
  if (HEDDLE_UNLIKELY(!thread)) return access_if_annotated<size, flags>(address, pc);
  if (size < 4) return access_plain_bytes(*thread, address, size, flags & race::kWrite, pc);
  if (HEDDLE_UNLIKELY(!aligned(address, size))) return access_not_aligned(*thread, address, size, flags, pc);
  access_whole_words(*thread, address, size, flags & race::kWrite, pc);
}

template <u32 size>
HEDDLE_NOINLINE HEDDLE_IN_ACCESS_SECTION void two_accesses(uptr address, uptr pc) {
  access<size, kReadPlain>(address, pc);
  access<size, kWritePlain>(address, pc);
}
template <u32 size>
HEDDLE_INLINE void compound_access(uptr address, uptr pc) {
  if (HEDDLE_UNLIKELY(g_compounds_are_two)) return two_accesses<size>(address, pc);
  access<size, kWritePlain>(address, pc);
}
}  // namespace

// A compound access is checked as its write, which covers the read; but not if another access may come between the
// two.
#define HEDDLE_ACCESS(size)                                                                                 \
  HEDDLE_ACCESS_HOOK void __tsan_read##size(void* p) { access<size, kReadPlain>(at(p), HEDDLE_CALLER); }    \
  HEDDLE_ACCESS_HOOK void __tsan_write##size(void* p) { access<size, kWritePlain>(at(p), HEDDLE_CALLER); }  \
  HEDDLE_ACCESS_HOOK void __tsan_read_write##size(void* p) { compound_access<size>(at(p), HEDDLE_CALLER); } \
  HEDDLE_ACCESS_HOOK void __tsan_volatile_read##size(void* p) {                                             \
    access<size, kReadPlain>(at(p), HEDDLE_CALLER);                                                         \
  }                                                                                                         \
  HEDDLE_ACCESS_HOOK void __tsan_volatile_write##size(void* p) {                                            \
    access<size, kWritePlain>(at(p), HEDDLE_CALLER);                                                        \
  }
#define HEDDLE_UNALIGNED(size)                                             \
  HEDDLE_ACCESS_HOOK void __tsan_unaligned_read##size(void* p) {           \
    access<size, kReadPlain>(at(p), HEDDLE_CALLER);                        \
  }                                                                        \
  HEDDLE_ACCESS_HOOK void __tsan_unaligned_write##size(void* p) {          \
    access<size, kWritePlain>(at(p), HEDDLE_CALLER);                       \
  }                                                                        \
  HEDDLE_ACCESS_HOOK void __tsan_unaligned_read_write##size(void* p) {     \
    compound_access<size>(at(p), HEDDLE_CALLER);                           \
  }                                                                        \
  HEDDLE_ACCESS_HOOK void __tsan_unaligned_volatile_read##size(void* p) {  \
    access<size, kReadPlain>(at(p), HEDDLE_CALLER);                        \
  }                                                                        \
  HEDDLE_ACCESS_HOOK void __tsan_unaligned_volatile_write##size(void* p) { \
    access<size, kWritePlain>(at(p), HEDDLE_CALLER);                       \
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
// A loop is instrumented as a range, repeatedly if it is in another loop: often a short one, in blocks that the strand
// has touched before.
HEDDLE_NOINLINE HEDDLE_IN_ACCESS_SECTION void any_range(uptr address, usize size, u64 flags, uptr pc) {
  const uptr end = address + size;
  if (!t_all_accesses && !annotated::g_bounds.overlaps(address, end)) return;
  ThreadState* thread = self();
  if (HEDDLE_UNLIKELY(!thread || !thread->active)) return;
  const bool only_repeated = (flags & race::kBound) || !t_all_accesses;
  // GCC reports so what is not aligned, clang a few bytes side by side.
  if (!only_repeated && ((address | size) & 3) && size - 1 < kLineSize)
    return access_plain_bytes(*thread, address, static_cast<u32>(size), flags & race::kWrite, pc);
  const uptr begin = touch_range(*thread, address, end, flags & race::kWrite, only_repeated, pc);
  if (begin != end) access_range(*thread, begin, end - begin, flags, pc);
}

// Whole words of one block are like a single access; and of a row that is walked again and again nothing is left to do.
HEDDLE_INLINE void range(uptr address, usize size, u64 flags, uptr pc) {
  ThreadState* thread = t_all_accesses;
  if (HEDDLE_LIKELY(thread && ((address | size) & 3) == 0 && size && !(flags & race::kBound))) {
    if ((address & (kBlockSize - 1)) + size <= kBlockSize) {
      if (touch_short_range(*thread, address, size, flags & race::kWrite, pc)) return;
    } else {
      const uptr end = address + size;
      address = skip_touched(*thread, address, end, flags & race::kWrite);
      if (address == end) return;
      size = end - address;
    }
  }
  any_range(address, size, flags, pc);
}
}  // namespace

HEDDLE_ACCESS_HOOK void __tsan_read_range(void* p, usize size) {
  range(at(p), size, kReadPlain, HEDDLE_CALLER);
}
HEDDLE_ACCESS_HOOK void __tsan_write_range(void* p, usize size) {
  range(at(p), size, kWritePlain, HEDDLE_CALLER);
}
// Of `a[i] += x` in a loop.
HEDDLE_ACCESS_HOOK void __tsan_read_write_range(void* p, usize size) {
  const uptr pc = HEDDLE_CALLER;
  if (HEDDLE_UNLIKELY(g_compounds_are_two)) range(at(p), size, kReadPlain, pc);
  range(at(p), size, kWritePlain, pc);
}

namespace {
template <u32 size, u64 flags>
void one_by_one(uptr lowest, usize count, uptr pc) {
  for (; count; --count, lowest += size) access<size, flags>(lowest, pc);
}

// Accesses without gaps. A few cost less one by one.
template <u64 flags>
void side_by_side(uptr lowest, usize count, u32 size, uptr pc) {
  constexpr usize kFew = 4;
  if (count > kFew) return range(lowest, count * size, flags, pc);
  switch (size) {
    case 1:
      return one_by_one<1, flags>(lowest, count, pc);
    case 2:
      return one_by_one<2, flags>(lowest, count, pc);
    case 4:
      return one_by_one<4, flags>(lowest, count, pc);
    case 8:
      return one_by_one<8, flags>(lowest, count, pc);
    default:
      return one_by_one<16, flags>(lowest, count, pc);
  }
}
}  // namespace

namespace {
HEDDLE_INLINE void accesses_of_thread(uptr lowest, usize size, u64 flags, uptr pc) {
  if (size > 8) return any_range(lowest, size, flags | race::kBound, pc);
  ThreadState* thread = t_all_accesses;
  if (HEDDLE_UNLIKELY(!thread)) {
    if (HEDDLE_LIKELY(!annotated::g_bounds.within_bounds(lowest))) return;
    thread = t_self;
  }
  if (HEDDLE_LIKELY(thread != nullptr))
    access_small(*thread, lowest, static_cast<u32>(size), flags | race::kBound, pc);
}
}  // namespace

// The accesses of a loop in all of its iterations (gcc/loop_hooks.cpp). `what`: the size of an access, whether it
// writes, whether it reads; the step is that size, up or down.
HEDDLE_ACCESS_HOOK void __heddle_loop_accesses(void* first, usize count, long step, u32 what) {
  const uptr pc = HEDDLE_CALLER;
  const u32 size = what >> 2;
  const bool reads = what & 1, writes = what & 2;
  const uptr lowest = step > 0 ? at(first) : at(first) - (count - 1) * size;
  if (reads && (!writes || g_compounds_are_two)) side_by_side<kReadPlain>(lowest, count, size, pc);
  if (writes) side_by_side<kWritePlain>(lowest, count, size, pc);
}

namespace {

// Where a loop is counted wrongly, rows may be where there is no memory: see kLarge in access_range.
constexpr usize kUnchecked = usize{1} << 20;

template <u64 flags>
void each_row(uptr at, usize size, usize rows, long stride, uptr pc) {
  if (!size || !rows) return;
  const usize apart = static_cast<usize>(stride < 0 ? -stride : stride);
  if (!apart && rows > 2) rows = 2;  // the same again and again
  const usize most = apart >= kUnchecked ? 1 : apart ? kUnchecked / apart : rows;
  for (;;) {
    const usize now = rows < most ? rows : most;
    for (usize i = 0; i < now; ++i, at += static_cast<uptr>(stride)) range(at, size, flags, pc);
    if (!(rows -= now) || !is_mapped(at)) return;
  }
}
}  // namespace

// Rows of `size` bytes, `stride` apart, that a loop or a nest of loops accesses (loop_hooks.cpp). `what`: whether
// it writes, whether it reads.
HEDDLE_ACCESS_HOOK void __heddle_rows(void* first, usize size, usize rows, long stride, u32 what) {
  const uptr pc = HEDDLE_CALLER;
  const bool reads = what & 1, writes = what & 2;
  if (reads && (!writes || g_compounds_are_two)) each_row<kReadPlain>(at(first), size, rows, stride, pc);
  if (writes) each_row<kWritePlain>(at(first), size, rows, stride, pc);
}

// The same for the thread's own memory (race::kBound): the address comes from the thread's number, or from the name
// of a thread-local variable. Also of a single access.
HEDDLE_ACCESS_HOOK void __heddle_thread_accesses(void* first, usize count, long step, u32 what) {
  const uptr pc = HEDDLE_CALLER;
  const u32 size = what >> 2;
  const bool reads = what & 1, writes = what & 2;
  const uptr lowest = step >= 0 ? at(first) : at(first) - (count - 1) * size;
  if (reads && (!writes || g_compounds_are_two)) accesses_of_thread(lowest, count * size, kReadPlain, pc);
  if (writes) accesses_of_thread(lowest, count * size, kWritePlain, pc);
}

// Such an address escapes, or a pointer is loaded from there: any later access of the task may use it.
HEDDLE_HOOK void __heddle_names_thread_data() {
  if (ThreadState* thread = t_self) claim(*thread, race::kNamed);
}

// A constructor that stores the same vtable pointer again makes no visible change.
HEDDLE_ACCESS_HOOK void __tsan_vptr_update(void** vptr, void* value) {
  *vptr == value ? access<8, kReadPlain>(at(vptr), HEDDLE_CALLER)
                 : access<8, kWritePlain>(at(vptr), HEDDLE_CALLER);
}
HEDDLE_ACCESS_HOOK void __tsan_vptr_read(void** vptr) { access<8, kReadPlain>(at(vptr), HEDDLE_CALLER); }
