// Call stacks as numbers. A stack is a node of the calling-context tree: (stack of the caller, program counter). Equal
// stacks have equal numbers, so a shadow entry holds a whole stack in 28 bits, permanently. 0 is the empty stack.
// Thread safety: any thread may call anything. Cost: one hash probe; threads cache in front of it.
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
  void expect_few() { buckets_used_ = kFewBuckets; }
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

  Node& node(StackId id) const { return blocks_[id / kBlock].load(std::memory_order_acquire)[id % kBlock]; }
  StackId search(StackId from, StackId caller, uptr pc) const;

  std::atomic<Node*>* blocks_;
  std::atomic<StackId>* buckets_;
  u32 buckets_used_ = kBuckets;
  std::atomic<u32> next_{1};
  SpinLock lock_;
};

}  // namespace heddle
