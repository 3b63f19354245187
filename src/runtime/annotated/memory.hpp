// Which memory is annotated, and what is remembered beside its shadow: for 64 bytes at a time, where something is
// annotated or a region touched it.
//
// Thread safety: a line's contents belong to the holder of its block; those of a group to the holder of its lock, which
// is taken while no block is held, and under which blocks are.
#pragma once

#include "base/vector.hpp"
#include "checker/atomicity/pairs.hpp"
#include "runtime/shadow/block_words.hpp"

namespace heddle::annotated {

struct Range {
  uptr address;
  usize size;
};

struct Group {
  SpinLock lock;
  atomicity::Location location;  // its one byte stands for all members
  Vector<Range> members;
  u32 quiescent_point = 0;
};

// Which bytes of 64 belong to the group.
struct Member {
  u64 bytes;
  Group* group;
  Member* next;
};

// 64 bytes.
struct Line {
  atomicity::Location location;
  u64 single = 0;  // annotated, each by itself
  Member* members = nullptr;
  u32 quiescent_point = 0;

  u64 grouped() const {
    u64 bytes = 0;
    for (const Member* member = members; member; member = member->next) bytes |= member->bytes;
    return bytes;
  }
};

inline Line* find_line(const Page& page, uptr address) {
  const AnnotatedPage* annotations = page.annotations.load(std::memory_order_acquire);
  return annotations
             ? annotations->lines[(address & (kPageSize - 1)) >> kLineShift].load(std::memory_order_acquire)
             : nullptr;
}
Line& make_line(Page& page, uptr address);

// The block's bit among those of its page.
constexpr u32 block_bit(uptr address) { return 1u << ((address & (kPageSize - 1)) >> kBlockShift); }

// Calls visit(begin of the line, bytes) for each line that the range touches.
template <class Visit>
void for_each_line(uptr begin, uptr end, Visit visit) {
  for (uptr at = begin; at < end;) {
    const uptr base = at & ~(kLineSize - 1), stop = base + kLineSize < end ? base + kLineSize : end;
    u64 bytes = ~u64{0} << (at - base);
    if (stop < base + kLineSize) bytes &= (u64{1} << (stop - base)) - 1;
    visit(base, bytes);
    at = stop;
  }
}

// Which words of the block are annotated, each by itself; and which in part or in a group.
struct AnnotatedWords {
  u64 annotated = 0, closely = 0;
};
inline AnnotatedWords annotated_words(const Page& page, uptr address) {
  const AnnotatedPage* annotations = page.annotations.load(std::memory_order_acquire);
  const auto& words = annotations->words[(address & (kPageSize - 1)) >> kBlockShift];
  return {words.annotated.load(std::memory_order_relaxed), words.closely.load(std::memory_order_relaxed)};
}

// Annotates the bytes: each by itself, or as part of a group (new_group(); 0: of none).
void annotate(uptr address, usize size, u32 group);
u32 new_group();
// They are not, or no longer: they were freed, or are new.
void forget(Page& page, uptr begin, uptr end);
void forget(uptr address, usize size);

}  // namespace heddle::annotated
