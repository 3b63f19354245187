// Call stacks as numbers. A stack is a node of the calling-context tree: (stack of the caller, program counter). Equal
// stacks have equal numbers, so a shadow entry holds a whole stack in 28 bits, permanently. 0 is the empty stack.
// Thread safety: any thread may call anything. Cost: one hash probe; threads cache in front of it.
// Where there are many, the table has parts, each of eight times the size: a probe for each.
#pragma once

#include <atomic>

#include "base/hash_map.hpp"
#include "base/spin_lock.hpp"

namespace heddle {

using StackId = u32;

class CallStacks {
 public:
  CallStacks();
  // Before the first: there will be few, and each page that is touched is dear.
  void expect_few() { parts_[0].count = kFewBuckets; }
  // `made`: the stack was not known before.
  StackId extend(StackId caller, uptr pc, bool& made);

  // Innermost first; returns how many were written.
  u32 unwind(StackId stack, uptr* pcs, u32 capacity) const;
  uptr pc(StackId stack) const { return node(stack).pc; }
  u32 count() const { return next_.load(std::memory_order_relaxed) - 1; }

 private:
  struct Node {
    uptr pc;
    StackId caller;
    StackId next;  // in the hash chain
  };
  static constexpr u32 kBlock = 1u << 14, kBlocks = 1u << 14;  // 28 bits of ids
  static constexpr u32 kBuckets = 1u << 16, kFewBuckets = 1u << 10;
  // Readers take no lock, so nothing moves: what is new goes to the newest part, until that is full.
  struct Part {
    std::atomic<StackId>* buckets;
    u32 count;  // a power of two
  };
  static constexpr u32 kParts = 6, kTimesLarger = 8;

  Node& node(StackId id) const { return blocks_[id / kBlock].load(std::memory_order_acquire)[id % kBlock]; }
  // Neighbours in the program are neighbours in the table: a short run touches few of its pages.
  static std::atomic<StackId>& bucket(const Part& part, StackId caller, uptr pc) {
    return part.buckets[(pc / 2 + caller * u64{31}) & (part.count - 1)];
  }
  static std::atomic<StackId>* make_buckets(u32 count);
  StackId search(StackId caller, uptr pc) const;
  Part& part_with_room(StackId next);

  std::atomic<Node*>* blocks_;
  Part parts_[kParts];
  std::atomic<u32> parts_used_{1};
  StackId newest_part_from_ = 1;
  std::atomic<u32> next_{1};
  SpinLock lock_;
};

}  // namespace heddle
