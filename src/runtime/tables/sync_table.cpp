#include "runtime/tables/sync_table.hpp"

namespace heddle {

Sync* SyncTable::make() {
  SpinGuard guard(made_lock_);
  if (spare_ == spare_end_) {
    constexpr usize kAtOnce = 64;
    spare_ = static_cast<Sync*>(memory::map_dense(kAtOnce * sizeof(Sync)));
    spare_end_ = spare_ + kAtOnce;
  }
  return new (spare_++) Sync;
}

Sync* SyncTable::find_in(Shard& shard, uptr address, Space space) {
  Sync** first = shard.map.find(granule_of(address));
  Sync* sync = first ? *first : nullptr;
  while (sync && sync->key != key(address, space)) sync = sync->next;
  return sync;
}

Sync& SyncTable::get(uptr address, Space space) {
  Shard& s = shard(address);
  SpinGuard guard(s.lock);
  if (Sync* sync = find_in(s, address, space)) return *sync;
  Sync* sync = make();
  sync->address = address;
  sync->key = key(address, space);
  sync->next = std::exchange(s.map[granule_of(address)], sync);
  return *sync;
}

Sync* SyncTable::find(uptr address, Space space) {
  Shard& s = shard(address);
  SpinGuard guard(s.lock);
  return find_in(s, address, space);
}

namespace {

// A lock has a number, by which it is known for ever, and readers' locks are few. Anything else may as well be what is
// next at the address: a program that makes futures again and again needs no more room for each.
bool can_begin_again(const Sync& sync) {
  return (sync.key & 3) != SyncTable::kLock && !__atomic_load_n(&sync.lock_id, __ATOMIC_ACQUIRE) &&
         !sync.by_readers.load(std::memory_order_relaxed);
}

void begin_again(order::SyncObject& object) {
  order::Snapshot nothing;
  SpinGuard guard(object.lock);
  order::Structure::put(object, nothing, true);
  object.recorded_as = object.recorded_version = 0;
}

}  // namespace

template <class Which>
void SyncTable::forget_if(uptr address, Which which) {
  Shard& s = shard(address);
  SpinGuard guard(s.lock);
  Sync** first = s.map.find(granule_of(address));
  if (!first) return;
  bool any = false;
  for (Sync** place = first; Sync* sync = *place;) {
    const bool forgotten = which(*sync), stays = !forgotten || can_begin_again(*sync);
    any |= forgotten;
    if (forgotten && stays) begin_again(sync->object);
    if (stays)
      place = &sync->next;
    else
      *place = sync->next;
  }
  if (any) epochs_[shard_of(address)].fetch_add(1, std::memory_order_release);
  if (!*first) s.map.erase(granule_of(address));
}

void SyncTable::forget(uptr address) {
  forget_if(address, [&](const Sync& sync) { return sync.key >> 2 == key(address, kAtomic) >> 2; });
}
void SyncTable::forget_granule(uptr address) {
  forget_if(address, [](const Sync&) { return true; });
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
