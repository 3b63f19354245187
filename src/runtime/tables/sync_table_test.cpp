// What an address loses when its memory is reused, and what begins again in place.
#include "runtime/tables/sync_table.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

constexpr uptr kAddress = 0x1000;

order::Snapshot knowledge() {
  order::Snapshot known;
  known.raise(1, 5);
  known.chain = 2;
  known.element = 7;
  return known;
}

TEST(SyncTable, DifferentThingsAtOneAddressDoNotMeet) {
  SyncTable table;
  Sync& atomic = table.get(kAddress, SyncTable::kAtomic);
  EXPECT_EQ(table.find(kAddress, SyncTable::kLock), nullptr);
  EXPECT_NE(&table.get(kAddress, SyncTable::kLock), &atomic);
  EXPECT_NE(&table.get(kAddress + 4, SyncTable::kAtomic), &atomic);
  EXPECT_EQ(table.find(kAddress, SyncTable::kAtomic), &atomic);
}

TEST(SyncTable, AnAtomicBeginsAgainWithoutKnowledge) {
  SyncTable table;
  Sync& atomic = table.get(kAddress, SyncTable::kAtomic);
  order::Snapshot known = knowledge();
  order::Structure::put(atomic.object, known, true);
  atomic.object.recorded_as = 3;
  const u32 epoch = table.epoch(kAddress);
  table.forget_granule(kAddress);
  EXPECT_NE(table.epoch(kAddress), epoch);
  EXPECT_EQ(&table.get(kAddress, SyncTable::kAtomic), &atomic);
  EXPECT_TRUE(atomic.object.knowledge.empty());
  EXPECT_EQ(atomic.object.recorded_as, 0u);
}

TEST(SyncTable, ALockIsAnotherOneAfterwards) {
  SyncTable table;
  Sync& lock = table.get(kAddress, SyncTable::kLock);
  const u32 id = table.lock_id(lock, LockKind::kMutex);
  table.forget(kAddress);
  EXPECT_EQ(table.find(kAddress, SyncTable::kLock), nullptr);
  Sync& next = table.get(kAddress, SyncTable::kLock);
  EXPECT_NE(&next, &lock);
  EXPECT_NE(table.lock_id(next, LockKind::kMutex), id);
  EXPECT_EQ(table.lock_by_id(id), &lock);
}

TEST(SyncTable, OfOneGranuleOnlyTheAddressIsForgotten) {
  SyncTable table;
  Sync& first = table.get(kAddress, SyncTable::kLock);
  Sync& second = table.get(kAddress + 4, SyncTable::kLock);
  Sync& readers = table.get(kAddress, SyncTable::kOther);
  order::SyncObject left;
  readers.by_readers.store(&left);
  table.forget(kAddress);
  EXPECT_NE(table.find(kAddress, SyncTable::kLock), &first);
  EXPECT_EQ(table.find(kAddress, SyncTable::kOther), nullptr);
  EXPECT_EQ(table.find(kAddress + 4, SyncTable::kLock), &second);
  table.forget_granule(kAddress);
  EXPECT_EQ(table.find(kAddress + 4, SyncTable::kLock), nullptr);
}

}  // namespace
}  // namespace heddle
