#include "frontend/threads/thread_table.hpp"

#include <gtest/gtest.h>

namespace heddle::threads {
namespace {

ThreadRecord* add(ThreadTable& table, pthread_t handle, bool detached = false) {
  auto* record = memory::make<ThreadRecord>();
  record->detached = detached;
  record->creating = true;
  table.created(handle, record);
  return record;
}

TEST(ThreadTable, KnowsAThreadUntilItIsJoined) {
  ThreadTable table;
  ThreadRecord* record = add(table, 7);
  EXPECT_EQ(table.find(7), record);
  table.ended(7, record);
  EXPECT_EQ(table.find(7), record);
  table.joined(7, record);
  EXPECT_EQ(table.find(7), nullptr);
}

TEST(ThreadTable, ForgetsADetachedThreadWhenItEnds) {
  ThreadTable table;
  ThreadRecord* born_detached = add(table, 1, true);
  ThreadRecord* detached_alive = add(table, 2);
  ThreadRecord* detached_dead = add(table, 3);
  table.detached(2, detached_alive);
  EXPECT_EQ(table.find(2), detached_alive);
  table.ended(3, detached_dead);
  table.ended(1, born_detached);
  table.ended(2, detached_alive);
  EXPECT_EQ(table.find(1), nullptr);
  EXPECT_EQ(table.find(2), nullptr);
  EXPECT_EQ(table.find(3), detached_dead);
  table.detached(3, detached_dead);
  EXPECT_EQ(table.find(3), nullptr);
}

TEST(ThreadTable, KnowsAThreadThatBeginsBeforeItsCreatorGoesOn) {
  ThreadTable table;
  auto* record = memory::make<ThreadRecord>();
  record->creating = true;
  table.begun(9, record);
  EXPECT_EQ(table.find(9), record);
  table.created(9, record);
  EXPECT_EQ(table.find(9), record);
  table.joined(9, record);
  EXPECT_EQ(table.find(9), nullptr);
}

TEST(ThreadTable, AThreadMayBeOverBeforeItsCreatorGoesOn) {
  ThreadTable table;
  auto* detached = memory::make<ThreadRecord>();
  auto* joined = memory::make<ThreadRecord>();
  detached->creating = joined->creating = true;
  detached->detached = true;
  table.begun(5, detached);
  table.ended(5, detached);
  table.begun(6, joined);
  table.ended(6, joined);
  table.joined(6, joined);
  ThreadRecord* next = add(table, 6);
  table.created(5, detached);
  table.created(6, joined);
  EXPECT_EQ(table.find(5), nullptr);
  EXPECT_EQ(table.find(6), next);
  table.joined(6, next);
}

TEST(ThreadTable, KeepsReusedHandlesApart) {
  ThreadTable table;
  ThreadRecord* first = add(table, 4);
  table.ended(4, first);
  table.joined(4, first);
  ThreadRecord* second = add(table, 4);
  EXPECT_EQ(table.find(4), second);
  EXPECT_FALSE(second->ended);
  table.joined(4, second);
}

TEST(ThreadTable, AHandleMayBeReusedBeforeTheJoinIsNoted) {
  ThreadTable table;
  ThreadRecord* first = add(table, 4);
  table.ended(4, first);
  ThreadRecord* second = add(table, 4);
  table.joined(4, first);
  EXPECT_EQ(table.find(4), second);
  table.joined(4, second);
  EXPECT_EQ(table.find(4), nullptr);
}

}  // namespace
}  // namespace heddle::threads
