#include "runtime/tables/sync_table.hpp"

namespace heddle {

Sync& SyncTable::get(uptr address, Space space) {
  Shard& s = shard(address);
  SpinGuard guard(s.lock);
  Sync*& sync = s.map[key(address, space)];
  if (!sync) {
    sync = memory::make<Sync>();
    sync->address = address;
  }
  return *sync;
}

Sync* SyncTable::find(uptr address, Space space) {
  Shard& s = shard(address);
  SpinGuard guard(s.lock);
  Sync** sync = s.map.find(key(address, space));
  return sync ? *sync : nullptr;
}

void SyncTable::forget(uptr address) {
  Shard& s = shard(address);
  SpinGuard guard(s.lock);
  for (Space space : {kAtomic, kLock, kOther}) {
    if (!s.map.find(key(address, space))) continue;
    epochs_[shard_of(address)].fetch_add(1, std::memory_order_release);
    s.map.erase(key(address, space));
  }
}

u32 SyncTable::lock_id(Sync& sync, LockKind kind) {
  if (u32 id = __atomic_load_n(&sync.lock_id, __ATOMIC_ACQUIRE)) return id;
  SpinGuard guard(id_lock_);
  if (!sync.lock_id) {
    sync.kind = kind;
    u32 id = next_lock_;
    if (by_address_) {
      constexpr u32 kBits = 30;  // HeldLock has 31
      id = static_cast<u32>(mix(sync.address) >> (64 - kBits));
      while (id == 0 || locks_.find(id)) id = (id + 1) % (1u << kBits);
    } else {
      ++next_lock_;
    }
    locks_[id] = &sync;
    __atomic_store_n(&sync.lock_id, id, __ATOMIC_RELEASE);
  }
  return sync.lock_id;
}

Sync* SyncTable::lock_by_id(u32 id) {
  SpinGuard guard(id_lock_);
  Sync** sync = locks_.find(id);
  return sync ? *sync : nullptr;
}

}  // namespace heddle
