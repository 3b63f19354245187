// What one window finds and what it misses; lists of windows find all.
#include "engine/tlc/tlc.hpp"

#include <gtest/gtest.h>

#include "engine/oracle/oracle.hpp"

namespace heddle::engine {
namespace {

using namespace event;

event::Access write(u32 task) { return {task, 0, 8, true}; }

bool tlc_finds_a_race(const History& history, bool exact) {
  return !Found(*find_engine("tlc"), {.exact = exact}, history).racy.empty();
}

void expect_seen(const History& history) {
  EXPECT_FALSE(Truth(history, false).racy.empty());
  EXPECT_TRUE(tlc_finds_a_race(history, false));
  EXPECT_TRUE(tlc_finds_a_race(history, true));
}

void expect_missed(const History& history) {
  EXPECT_FALSE(Truth(history, false).racy.empty());
  EXPECT_FALSE(tlc_finds_a_race(history, false));
  EXPECT_TRUE(tlc_finds_a_race(history, true));
}

void expect_ordered(const History& history) {
  EXPECT_TRUE(Truth(history, false).racy.empty());
  EXPECT_FALSE(tlc_finds_a_race(history, false));
  EXPECT_FALSE(tlc_finds_a_race(history, true));
}

TEST(Tlc, DeferredTasksOfOneThreadAreConcurrent) {
  expect_seen({Spawn{0, 1}, Spawn{0, 2}, Begin{1, 1}, write(1), End{1}, Begin{2, 1}, write(2), End{2},
               WaitChildren{0}});
}

TEST(Tlc, TheCreatorIsConcurrentUntilTheTaskStarts) {
  expect_seen({Spawn{0, 1}, write(0), Begin{1, 1}, write(1), End{1}, WaitChildren{0}});
}

TEST(Tlc, WhatCameBeforeTheCreationIsOrdered) {
  expect_ordered({write(0), Spawn{0, 1}, Begin{1, 1}, write(1), End{1}, WaitChildren{0}, write(0)});
}

TEST(Tlc, NewMemoryWipesTheLog) {
  expect_ordered({Spawn{0, 1}, Spawn{0, 2}, Begin{1, 1}, write(1), End{1}, NewMemory{0, 0, 8}, Begin{2, 1},
                  write(2), End{2}});
}

TEST(Tlc, DependencesCutTheWindow) {
  expect_ordered({Spawn{0, 1, SpawnKind::kTask, {{0, DependKind::kOut}}},
                  Spawn{0, 2, SpawnKind::kTask, {{0, DependKind::kOut}}}, Begin{1, 1}, write(1), End{1},
                  Begin{2, 1}, write(2), End{2}});
}

// --- omissions, section 8.2 of the paper

TEST(TlcOmission, ATaskCreatedInsideATaskForgetsEarlierTasks) {
  expect_missed({Spawn{0, 1}, Spawn{0, 2}, Begin{1, 1}, write(1), End{1}, Begin{2, 1}, Spawn{2, 3},
                 Begin{3, 1}, write(3), End{3}, End{2}});
}

TEST(TlcOmission, ATaskOnAnotherThreadIsOrderedWithWhatRanThere) {
  expect_missed({Spawn{0, 1}, Spawn{0, 2}, Begin{1, 2}, write(1), End{1}, Begin{2, 2}, write(2), End{2}});
}

TEST(TlcOmission, ImmediateExecutionIsNotSeenAsConcurrent) {
  expect_missed({Spawn{0, 1}, Begin{1, 1}, write(1), End{1}, Spawn{0, 2}, Begin{2, 1}, write(2), End{2}});
}

TEST(TlcOmission, AnOrdinaryArcEndsTheWindow) {
  expect_missed({Spawn{0, 1}, Spawn{0, 2}, Begin{1, 1}, write(1), End{1}, Begin{2, 1}, Acquire{2, 0},
                 write(2), Release{2, 0}, End{2}});
}

// --- ordered accesses that are concurrent by the printed rules

TEST(TlcCorrection, StartOnAnotherThreadKnowsTheCreation) {
  expect_ordered({write(0), Spawn{0, 1}, Begin{1, 2}, write(1), End{1}});
}

TEST(TlcCorrection, ALaterSignalDoesNotBringBackWhatAnEarlierOneKnew) {
  expect_ordered({Spawn{0, 2, SpawnKind::kThread}, Fork{0, 0}, TeamBegin{3, 0, 1}, TeamBegin{4, 0, 1},
                  Begin{2, 1}, End{2}, BarrierArrive{3, 0}, JoinThread{4, 2}, event::Access{4, 0, 8, false},
                  BarrierArrive{4, 0}, BarrierLeave{3, 0}, write(3)});
}

}  // namespace
}  // namespace heddle::engine
