#include "frontend/threads/thread_table.hpp"

#include <gtest/gtest.h>

namespace heddle::threads {
namespace {

constexpr auto kMade = [] { return 0; };

ThreadRecord* add(ThreadTable& table, pthread_t handle, bool detached = false) {
  auto* record = memory::make<ThreadRecord>();
  record->detached = detached;
  EXPECT_EQ(table.add(record, &handle, kMade), 0);
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

TEST(ThreadTable, DoesNotKnowAThreadThatCouldNotBeMade) {
  ThreadTable table;
  auto* record = memory::make<ThreadRecord>();
  pthread_t handle = 9;
  EXPECT_EQ(table.add(record, &handle, [] { return 11; }), 11);
  EXPECT_EQ(table.find(9), nullptr);
  memory::destroy(record);
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
