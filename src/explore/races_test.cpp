#include "explore/races.hpp"

#include <gtest/gtest.h>

#include "explore/witness.hpp"

namespace heddle::explore {
namespace {

Step step(ActorNumber actor, u32 task, std::vector<Access> accesses, std::vector<u32> after = {}) {
  Step s;
  s.actor = actor;
  s.task = task;
  s.accesses = std::move(accesses);
  s.after = std::move(after);
  return s;
}

Access write(u64 address, u32 size = 4, u32 bound_to = 0) {
  return {address, size, true, false, 1, bound_to};
}
Access read(u64 address, u32 size = 4, u32 bound_to = 0) {
  return {address, size, false, false, 2, bound_to};
}

usize races(std::vector<Step> steps) {
  Execution execution;
  execution.steps = std::move(steps);
  return find_races(Analysis(execution, conflict_aware())).size();
}

TEST(Races, AreConflictsThatNothingOrders) {
  EXPECT_EQ(races({step(1, 1, {write(0x10)}), step(2, 2, {read(0x10)})}), 1u);
  EXPECT_EQ(races({step(1, 1, {write(0x10)}), step(2, 2, {read(0x10)}, {0})}), 0u);
  EXPECT_EQ(races({step(1, 1, {read(0x10)}), step(2, 2, {read(0x10)})}), 0u);
}

TEST(Races, OverlapIsEnough) {
  EXPECT_EQ(races({step(1, 1, {write(0x10, 64)}), step(2, 2, {read(0x4f, 1)})}), 1u);
  EXPECT_EQ(races({step(1, 1, {write(0x10, 64)}), step(2, 2, {read(0x50, 1)})}), 0u);
}

TEST(Races, TasksOfOneActorAreUnordered) {
  EXPECT_EQ(races({step(1, 1, {write(0x10)}), step(1, 2, {read(0x10)})}), 1u);
}

// Chunk 1 writes y and then sets a flag under a lock; chunk 2 reads the flag under the lock, and then y. It does not
// matter that one actor ran both.
TEST(Races, LocksOrderTheTasksOfOneActor) {
  Step told = step(1, 1, {write(0x20)}), asks = step(1, 2, {read(0x20)});
  told.op = asks.op = Op::kAcquire;
  told.object = asks.object = 7;
  told.pulsed = asks.pulsed = {{7, true}};
  EXPECT_EQ(races({step(1, 1, {write(0x10)}), told, asks, step(1, 2, {read(0x10)})}), 0u);
}

TEST(Races, AccessesBoundToOneThreadDoNotRace) {
  EXPECT_EQ(races({step(1, 1, {write(0x10, 4, 5)}), step(1, 2, {read(0x10, 4, 5)})}), 0u);
  EXPECT_EQ(races({step(1, 1, {write(0x10, 4, 5)}), step(1, 2, {read(0x10, 4, 6)})}), 1u);
}

TEST(Races, ACommonLockThatBothOnlyReadProtectsNothing) {
  Step a = step(1, 1, {write(0x10)}), b = step(2, 2, {read(0x10)});
  a.held = b.held = {{7, false}};
  EXPECT_EQ(races({a, b}), 1u);
  b.held = {{7, true}};
  EXPECT_EQ(races({a, b}), 0u);
}

TEST(Races, OneForEachPairOfSites) {
  EXPECT_EQ(races({step(1, 1, {write(0x10), write(0x20)}), step(2, 2, {read(0x10), read(0x20)})}), 1u);
}

// Actor 1 holds a lock for reading and releases it after its access; 2 acquires it in its step. In this order the
// lock is handed over.
TEST(Witness, LetsNoLockBeHandedOverBetweenTheTwo) {
  Execution execution;
  Step gains = step(1, 1, {});
  gains.op = Op::kAcquire;
  gains.object = 7;
  gains.gained = {{7, false}};
  Step first = step(1, 1, {write(0x10)});
  first.held = first.given = {{7, false}};
  Step second = step(2, 2, {read(0x10)});
  second.op = Op::kAcquire;
  second.object = 7;
  second.pulsed = {{7, false}};
  execution.steps = {gains, step(3, 3, {write(0x80)}), first, second};
  Analysis analysis(execution, conflict_aware());
  std::vector<Race> found = find_races(analysis);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(witness(analysis, found[0]), (std::vector<u32>{0, 3, 2}));
}

}  // namespace
}  // namespace heddle::explore
