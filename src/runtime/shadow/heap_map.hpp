// The program's heap blocks: where each was allocated and by which task. Found by any address inside: a bit per 16
// bytes of a page (Page::heap_blocks) marks where blocks start, and the search walks back to the nearest one. Thread
// safety: sharded by block address.
#pragma once

#include "base/hash_map.hpp"
#include "order/dpst/task.hpp"
#include "runtime/shadow/shadow.hpp"
#include "runtime/tables/call_stacks.hpp"

namespace heddle {

struct HeapBlock {
  uptr base = 0;
  usize size = 0;
  StackId stack = 0;
  order::TaskId task = 0;
  u32 thread = 0;
  u32 count = 0;  // see Runtime::counts_creations
  bool freed = false;
  bool named = false;     // the task that allocated it had named what each thread has its own of
  race::Access freed_by;  // the free, as an access to all of the block
};

class HeapMap {
 public:
  explicit HeapMap(Shadow& shadow) : shadow_(shadow) {}
  void insert(const HeapBlock& block);
  // The block that starts at this address; size 0 when there is none. It stays known, as freed, until its memory is
  // reused.
  HeapBlock remove(uptr base);
  void freed_by(uptr base, race::Access access);
  // Calls visit(block) for each.
  template <class Visit>
  void for_each(Visit visit) {
    for (Shard& shard : shards_) {
      SpinGuard guard(shard.lock);
      shard.map.for_each([&](u64, const HeapBlock& block) { visit(block); });
    }
  }
  // The block around an address; size 0 when there is none.
  HeapBlock around(uptr address);

 private:
  static constexpr u32 kShards = 64;
  struct Shard {
    SpinLock lock;
    HashMap<HeapBlock> map;
  };
  Shard& shard(uptr base) { return shards_[mix(base >> 4) % kShards]; }

  Shadow& shadow_;
  Shard shards_[kShards];
};

}  // namespace heddle
