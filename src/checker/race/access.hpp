// One remembered access, in two words, and the cell: what eight bytes remember.
//
//   strand:  1 | task:31 | index:32           the top bit distinguishes an access from a pointer to a list
//   what:    site:28 | lockset:20 | bytes:8 | flags:8
//
// Flags are chosen so that "at least as strong" is "has at least these bits": a write conflicts with more than a
// read, a plain access with more than an atomic one.
#pragma once

#include <atomic>

#include "base/memory.hpp"
#include "base/types.hpp"
#include "order/dpst/task.hpp"

namespace heddle::race {

using order::Index;
using order::TaskId;

enum Flag : u64 {
  kWrite = 1,
  kPlain = 2,
  kBound =
      4,  // to the accessing thread's own data: the address comes from its number, or from a thread-local name
  kFree = 8,    // a write that frees the memory
  kAsked = 16,  // the task knows its thread's number: the address may come from it
  kNamed = 32,  // the task has named thread-local data: the address may come from that
};
constexpr u64 kFlags = 0xff;
// What keeps two accesses of one thread from racing, or may.
constexpr u64 kClaims = kBound | kAsked | kNamed;
constexpr u32 kBytesShift = 8, kLocksetShift = 16, kSiteShift = 36;
constexpr u32 kSiteBits = 28, kLocksetBits = 20;
constexpr u64 kLocksetMask = ((u64{1} << kLocksetBits) - 1) << kLocksetShift;

struct Access {
  u64 strand = 0;
  u64 what = 0;

  bool empty() const { return strand == 0; }
  TaskId task() const { return static_cast<u32>(strand >> 32) & 0x7fffffff; }
  Index index() const { return static_cast<u32>(strand); }
  u32 site() const { return static_cast<u32>(what >> kSiteShift); }
  u32 lockset() const { return static_cast<u32>(what >> kLocksetShift) & ((1u << kLocksetBits) - 1); }
  u8 bytes() const { return static_cast<u8>(what >> kBytesShift); }
  bool write() const { return what & kWrite; }
  bool atomic() const { return !(what & kPlain); }
  bool bound() const { return what & kBound; }
  u64 claims() const { return what & kClaims; }
  bool free() const { return what & kFree; }
};

constexpr u64 strand_word(TaskId task, Index index) { return u64{1} << 63 | u64{task} << 32 | index; }
constexpr u64 what_word(u32 site, u32 lockset, u8 bytes, u64 flags) {
  return u64{site} << kSiteShift | u64{lockset} << kLocksetShift | u64{bytes} << kBytesShift | flags;
}

// The bytes and the strength of an access: x covers y's bytes and is as strong iff x has all of y's demand bits.
constexpr u64 kDemand = u64{0xff} << kBytesShift | kWrite | kPlain;
constexpr bool as_strong(u64 what, u64 demand) { return (what & demand) == demand; }

inline bool conflict(const Access& a, const Access& b) {
  return (a.bytes() & b.bytes()) && (a.write() || b.write()) && !(a.atomic() && b.atomic());
}

// Several accesses that some granules keep. Never changed while shared, so that all granules with equal accesses can
// share it. Writes come first: a read conflicts with nothing else.
struct AccessList {
  std::atomic<u32> references;
  u32 count;
  u32 compact_at;  // with so many it is worth looking for superfluous ones among them
  u32 room;        // for so many
  Access at[];
};

// What eight bytes remember: up to two accesses (`first` is filled first), or `second.strand` points to a list of all
// of them, and `first` repeats the newest. Copying the words does not count as a reference to the list: retain()
// does.
struct Cell {
  Access first;
  Access second;

  bool operator==(const Cell& other) const {
    return first.strand == other.first.strand && first.what == other.first.what &&
           second.strand == other.second.strand && second.what == other.second.what;
  }
  bool empty() const { return first.empty(); }
  bool has_list() const { return second.strand != 0 && !(second.strand >> 63); }
  AccessList* list() const { return reinterpret_cast<AccessList*>(second.strand); }
  // Not shared: it may be changed in place.
  bool has_own_list() const { return has_list_shared_by_few(1); }
  bool has_list_shared_by_few(u32 most) const {
    return has_list() && list()->references.load(std::memory_order_acquire) <= most;
  }
  u32 count() const { return has_list() ? list()->count : u32{!first.empty()} + u32{!second.empty()}; }
  const Access& at(u32 i) const { return has_list() ? list()->at[i] : i == 0 ? first : second; }
};
static_assert(sizeof(Cell) == 32);

inline AccessList* make_list(u32 room) {
  auto* list =
      static_cast<AccessList*>(memory::allocate_unzeroed(sizeof(AccessList) + room * sizeof(Access)));
  list->references.store(1, std::memory_order_relaxed);
  list->room = room;
  return list;
}
inline void retain(const Cell& cell, u32 times = 1) {
  if (cell.has_list()) cell.list()->references.fetch_add(times, std::memory_order_relaxed);
}
inline void release(const Cell& cell, u32 times = 1) {
  if (!cell.has_list()) return;
  if (cell.list()->references.fetch_sub(times, std::memory_order_acq_rel) == times)
    memory::release(cell.list(), sizeof(AccessList) + cell.list()->room * sizeof(Access));
}

}  // namespace heddle::race
