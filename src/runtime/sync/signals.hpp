// Synchronisation by objects at addresses: what a task releases there, and others acquire.
#pragma once

#include "runtime/state/process.hpp"

namespace heddle {

// What is kept for an address that synchronises, made if there is none; or null if there is none. From the thread's
// cache, most often.
Sync& sync_at(ThreadState& thread, uptr address, SyncTable::Space space);
Sync* find_sync(ThreadState& thread, uptr address, SyncTable::Space space);
void publish(ThreadState& thread, uptr address, SyncTable::Space space, bool replace = false);
void await(ThreadState& thread, uptr address, SyncTable::Space space);
// Would the acquire add anything to its clocks? If not, the strand continues, and nothing pending need be checked.
bool has_news(ThreadState& thread, uptr address, SyncTable::Space space);
// The same for a lock that orders like a signal, and whose readers are not ordered among each other: what they publish
// is for writers.
void publish_as(ThreadState& thread, uptr address, order::Mode mode);
void await_as(ThreadState& thread, uptr address, order::Mode mode);
bool has_news_as(ThreadState& thread, uptr address, order::Mode mode);
// A fence: knowledge that earlier relaxed loads saw is taken, knowledge for later relaxed stores is set aside.
void fence(ThreadState& thread, bool acquires, bool releases);

}  // namespace heddle
