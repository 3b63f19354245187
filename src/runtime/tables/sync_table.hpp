// Addresses that synchronise: atomic variables, mutexes, semaphores, ... each with what the order keeps for it. Thread
// safety: sharded by address. A Sync is never freed: a thread may still be using one whose memory is being reused.
#pragma once

#include "base/hash_map.hpp"
#include "model/kinds.hpp"
#include "order/structure.hpp"

namespace heddle {

// In lines of cache: what an atomic variable hands over is the first; a lock needs the last two only.
struct alignas(64) Sync {
  order::SyncObject object;
  uptr address = 0;
  std::atomic<order::SyncObject*> by_readers{nullptr};  // of a readers' lock that orders: what they left

  alignas(64) u64 key = 0;  // guarded by its shard, like the next one
  Sync* next = nullptr;     // of the same granule
  u32 lock_id = 0;          // names it in locksets; given at the first acquisition
  LockKind kind = LockKind::kNone;
  std::atomic<u32> only[2] =
      {};  // the lockset of only this lock, held for reading / for writing; 0: not asked yet
  order::LockObject lock;
};
static_assert(sizeof(Sync) == 256);

class SyncTable {
 public:
  // Different things at one address (a user's own atomic inside a pthread_mutex_t) do not meet: `space` keeps them
  // apart.
  enum Space : u64 { kAtomic = 0, kLock = 1, kOther = 2 };

  static u64 key(uptr address, Space space) { return u64{address} << 2 | space; }

  Sync& get(uptr address, Space space);
  Sync* find(uptr address, Space space);
  // Changes whenever this address, or another one by chance, has lost its meaning: what was found before is found again
  // only until then.
  u32 epoch(uptr address) const { return epochs_[shard_of(address)].load(std::memory_order_acquire); }
  // The memory is being reused: what was known of the address, or of all in its granule, is no longer true of it.
  void forget(uptr address);
  void forget_granule(uptr address);

  u32 lock_id(Sync& sync, LockKind kind);
  Sync* lock_by_id(u32 id);
  // From here on locks are numbered by their addresses: then they have the same numbers in all executions that are
  // forked from here.
  void number_by_address() { by_address_ = true; }

 private:
  static constexpr u32 kShards = 64;
  struct Shard {
    SpinLock lock;
    HashMap<Sync*> map;  // by granule, which most have for themselves
  };
  static u64 granule_of(uptr address) { return address >> 3; }
  // By other bits than the map goes by.
  static u32 shard_of(uptr address) { return static_cast<u32>(mix(granule_of(address)) >> 58) % kShards; }
  Shard& shard(uptr address) { return shards_[shard_of(address)]; }

  Sync* make();
  static Sync* find_in(Shard& shard, uptr address, Space space);
  template <class Which>
  void forget_if(uptr address, Which which);

  Shard shards_[kShards];
  std::atomic<u32> epochs_[kShards] = {};  // apart from the locks: they are read all the time
  SpinLock made_lock_;
  Sync* spare_ = nullptr;
  Sync* spare_end_ = nullptr;
  SpinLock id_lock_;
  u32 next_lock_ = 1;
  bool by_address_ = false;
  HashMap<Sync*> locks_;
};

}  // namespace heddle
