// How often a task has created something with one call stack: with the stack and the creator's own name, that tells
// what was created apart from all else, in every run in which the creator does the same, whatever the schedule
// (light-weight execution indexing: Joshi, Park, Sen, Naik 2009). The published index has a count for each call on the
// stack, which costs something at every call; one count for the whole stack distinguishes as many objects, and costs
// something at creations only. Kept only with --check=deadlock, whose findings are to be found again in other runs.
// Thread safety: sharded, any thread.
#pragma once

#include "base/hash_map.hpp"
#include "base/spin_lock.hpp"
#include "order/dpst/task.hpp"
#include "runtime/tables/call_stacks.hpp"

namespace heddle {

class CreationCounts {
 public:
  // 0 for the first one.
  u32 next(order::TaskId creator, StackId stack) {
    const u64 key = u64{creator} << 32 | stack;
    Shard& shard = shard_of(key);
    SpinGuard guard(shard.lock);
    return shard.counts[key]++;
  }

 private:
  static constexpr u32 kShards = 16;
  struct Shard {
    SpinLock lock;
    HashMap<u32> counts;  // by creator and stack
  };
  Shard& shard_of(u64 key) { return shards_[mix(key) % kShards]; }
  Shard shards_[kShards];
};

}  // namespace heddle
