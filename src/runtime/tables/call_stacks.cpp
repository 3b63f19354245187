#include "runtime/tables/call_stacks.hpp"

#include "base/check.hpp"

namespace heddle {

CallStacks::CallStacks()
    : blocks_(static_cast<std::atomic<Node*>*>(memory::map(kBlocks * sizeof(std::atomic<Node*>)))),
      buckets_(static_cast<std::atomic<StackId>*>(memory::map(kBuckets * sizeof(std::atomic<StackId>)))) {}

StackId CallStacks::search(StackId from, StackId caller, uptr pc) const {
  for (StackId id = from; id; id = node(id).next)
    if (node(id).pc == pc && node(id).caller == caller) return id;
  return 0;
}

StackId CallStacks::extend(StackId caller, uptr pc, bool& made) {
  made = false;
  // Neighbours in the program are neighbours in the table: a short run touches few of its pages.
  std::atomic<StackId>& bucket = buckets_[(pc / 2 + caller * u64{31}) & (buckets_used_ - 1)];
  if (StackId id = search(bucket.load(std::memory_order_acquire), caller, pc)) return id;
  SpinGuard guard(lock_);
  StackId head = bucket.load(std::memory_order_relaxed);
  if (StackId id = search(head, caller, pc)) return id;
  StackId id = next_.load(std::memory_order_relaxed);
  if (id >= kBlock * (kBlocks - 1))
    return caller;  // 268 million distinct stacks: keep the caller's. The last block is SitePatterns'
  std::atomic<Node*>& block = blocks_[id / kBlock];
  if (!block.load(std::memory_order_relaxed))
    block.store(static_cast<Node*>(memory::map(kBlock * sizeof(Node))), std::memory_order_release);
  node(id) = {pc, caller, head};
  next_.store(id + 1, std::memory_order_relaxed);
  made = true;
  bucket.store(id, std::memory_order_release);
  return id;
}

u32 CallStacks::unwind(StackId stack, uptr* pcs, u32 capacity) const {
  u32 count = 0;
  for (; stack && count < capacity; stack = node(stack).caller) pcs[count++] = node(stack).pc;
  return count;
}

}  // namespace heddle
