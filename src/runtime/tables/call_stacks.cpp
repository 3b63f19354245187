#include "runtime/tables/call_stacks.hpp"

#include "base/check.hpp"

namespace heddle {

CallStacks::CallStacks()
    : blocks_(static_cast<std::atomic<Node*>*>(memory::map(kBlocks * sizeof(std::atomic<Node*>)))),
      parts_{{make_buckets(kBuckets), kBuckets}} {}

std::atomic<StackId>* CallStacks::make_buckets(u32 count) {
  return static_cast<std::atomic<StackId>*>(memory::map(count * sizeof(std::atomic<StackId>)));
}

StackId CallStacks::search(StackId caller, uptr pc) const {
  for (u32 part = parts_used_.load(std::memory_order_acquire); part-- > 0;)
    for (StackId id = bucket(parts_[part], caller, pc).load(std::memory_order_acquire); id;
         id = node(id).next)
      if (node(id).pc == pc && node(id).caller == caller) return id;
  return 0;
}

// REQUIRES: the lock.
CallStacks::Part& CallStacks::part_with_room(StackId next) {
  const u32 used = parts_used_.load(std::memory_order_relaxed);
  Part& newest = parts_[used - 1];
  if (next - newest_part_from_ < 2 * newest.count || used == kParts) return newest;
  const u32 count = newest.count * kTimesLarger;
  parts_[used] = {make_buckets(count), count};
  newest_part_from_ = next;
  parts_used_.store(used + 1, std::memory_order_release);
  return parts_[used];
}

StackId CallStacks::extend(StackId caller, uptr pc, bool& made) {
  made = false;
  if (StackId id = search(caller, pc)) return id;
  SpinGuard guard(lock_);
  if (StackId id = search(caller, pc)) return id;
  StackId id = next_.load(std::memory_order_relaxed);
  if (id >= kBlock * (kBlocks - 1))
    return caller;  // 268 million distinct stacks: keep the caller's. The last block is SitePatterns'
  std::atomic<Node*>& block = blocks_[id / kBlock];
  if (!block.load(std::memory_order_relaxed))
    block.store(static_cast<Node*>(memory::map(kBlock * sizeof(Node))), std::memory_order_release);
  std::atomic<StackId>& place = bucket(part_with_room(id), caller, pc);
  node(id) = {pc, caller, place.load(std::memory_order_relaxed)};
  next_.store(id + 1, std::memory_order_relaxed);
  made = true;
  place.store(id, std::memory_order_release);
  return id;
}

u32 CallStacks::unwind(StackId stack, uptr* pcs, u32 capacity) const {
  u32 count = 0;
  for (; stack && count < capacity; stack = node(stack).caller) pcs[count++] = node(stack).pc;
  return count;
}

}  // namespace heddle
