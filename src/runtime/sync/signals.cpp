#include "runtime/sync/signals.hpp"

#include "runtime/races/strand.hpp"
#include "runtime/recording/recorder.hpp"

namespace heddle {

namespace {

void mark_synced(uptr address) {
  if (Page* page = g_runtime->shadow.page(address)) page->synced.set((address & (kPageSize - 1)) / 8);
}

// Creating a Sync marks the address before: the table, which is all threads', need not be asked about most
// addresses.
bool is_synced(uptr address) {
  if (HEDDLE_UNLIKELY(!Shadow::covers(address)))
    return true;  // a name, not an address: nothing can be marked
  const Page* page = g_runtime->shadow.find(address);
  return page && page->is_synced(address);
}

// What is at an address, as this thread last found it.
ThreadState::SyncCache& sync_cache(ThreadState& thread, u64 key) {
  return thread.syncs[mix(key) % ThreadState::kSyncCache];
}
Sync* known_sync(ThreadState& thread, uptr address, SyncTable::Space space) {
  const u64 key = SyncTable::key(address, space);
  const auto& entry = sync_cache(thread, key);
  return entry.key == key && entry.epoch == rt().syncs.epoch(address) ? entry.sync : nullptr;
}
Sync* remember_sync(ThreadState& thread, uptr address, SyncTable::Space space, Sync* sync, u32 epoch) {
  const u64 key = SyncTable::key(address, space);
  if (sync) sync_cache(thread, key) = {key, sync, epoch};
  return sync;
}

}  // namespace

Sync& sync_at(ThreadState& thread, uptr address, SyncTable::Space space) {
  if (Sync* sync = known_sync(thread, address, space)) return *sync;
  u32 epoch = rt().syncs.epoch(address);
  mark_synced(address);
  return *remember_sync(thread, address, space, &rt().syncs.get(address, space), epoch);
}
Sync* find_sync(ThreadState& thread, uptr address, SyncTable::Space space) {
  if (Sync* sync = known_sync(thread, address, space)) return sync;
  if (!is_synced(address)) return nullptr;
  u32 epoch = rt().syncs.epoch(address);
  return remember_sync(thread, address, space, rt().syncs.find(address, space), epoch);
}

void publish(ThreadState& thread, uptr address, SyncTable::Space space, bool replace) {
  if (!running(thread)) return;
  Sync& sync = sync_at(thread, address, space);
  if (replace)
    rt().order.publish_only(*thread.context->task, sync.object);
  else
    rt().order.publish(*thread.context->task, sync.object);
  refresh(thread);
}

void await(ThreadState& thread, uptr address, SyncTable::Space space) {
  if (!running(thread)) return;
  Sync* sync = find_sync(thread, address, space);
  if (!sync) return;
  rt().order.await(*thread.context->task, sync->object);
  refresh(thread);
}

namespace {

bool is_news(ThreadState& thread, order::SyncObject& object) {
  if (object.names_what_is_known_to(*thread.context->task)) return false;
  SpinGuard guard(object.lock);
  return !rt().order.knows(*thread.context->task, object);
}

// For what changes nothing: looking for something, that is.
template <class Look>
bool look_for_news(ThreadState& thread, uptr address, SyncTable::Space space, Look look) {
  if (!running(thread)) return false;
  const bool was_active = std::exchange(thread.active, false);
  grace::Reading reading(thread.reader);
  bool news = rt().recording;
  if (!news)
    if (Sync* sync = find_sync(thread, address, space)) news = look(*sync);
  thread.active = was_active;
  return news;
}

order::SyncObject& left_by_readers(Sync& sync) {
  order::SyncObject* object = sync.by_readers.load(std::memory_order_acquire);
  if (object) return *object;
  auto* made = memory::make<order::SyncObject>();
  if (sync.by_readers.compare_exchange_strong(object, made)) return *made;
  memory::destroy(made);
  return *object;
}

}  // namespace

bool has_news(ThreadState& thread, uptr address, SyncTable::Space space) {
  return look_for_news(thread, address, space, [&](Sync& sync) { return is_news(thread, sync.object); });
}

bool has_news_as(ThreadState& thread, uptr address, order::Mode mode) {
  return look_for_news(thread, address, SyncTable::kOther, [&](Sync& sync) {
    if (is_news(thread, sync.object)) return true;
    order::SyncObject* readers =
        mode == order::Mode::kWrite ? sync.by_readers.load(std::memory_order_acquire) : nullptr;
    return readers && is_news(thread, *readers);
  });
}

void publish_as(ThreadState& thread, uptr address, order::Mode mode) {
  if (!running(thread)) return;
  Sync& sync = sync_at(thread, address, SyncTable::kOther);
  rt().order.publish(*thread.context->task,
                     mode == order::Mode::kWrite ? sync.object : left_by_readers(sync));
  refresh(thread);
}

void await_as(ThreadState& thread, uptr address, order::Mode mode) {
  await(thread, address, SyncTable::kOther);
  if (mode == order::Mode::kRead || !running(thread)) return;
  Sync* sync = find_sync(thread, address, SyncTable::kOther);
  order::SyncObject* readers = sync ? sync->by_readers.load(std::memory_order_acquire) : nullptr;
  if (!readers) return;
  rt().order.await(*thread.context->task, *readers);
  refresh(thread);
}

void fence(ThreadState& thread, bool acquires, bool releases) {
  if (!running(thread)) return;
  const order::Index before = thread.context->task->now;
  if (acquires) rt().order.acquire_snapshot(*thread.context->task, thread.acquired_by_relaxed);
  if (releases) thread.released_by_fence = rt().order.snapshot(*thread.context->task);
  thread.context->within_step += thread.context->task->now - before;
  recorder::fence(thread, acquires, releases);
  refresh(thread);
}

}  // namespace heddle
