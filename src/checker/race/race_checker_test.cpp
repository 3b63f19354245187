// Small named cases of the race checker: what it says, and how much it remembers. What random programs found
// is kept at the end.
#include "checker/race/race_checker.hpp"

#include <gtest/gtest.h>

#include "base/memory.hpp"
#include "checker/oracle/compare.hpp"
#include "event/listing.hpp"
#include "event/run_state.hpp"

namespace heddle::race {
namespace {

using event::Acquire;
using event::Await;
using event::BarrierArrive;
using event::Begin;
using event::Bind;
using event::End;
using event::Fork;
using event::GroupClose;
using event::GroupOpen;
using event::History;
using event::NewMemory;
using event::Release;
using event::Signal;
using event::Spawn;
using event::SpawnKind;
using event::TeamBegin;
using event::WaitChildren;

event::Access read(u32 task, u64 address = 0, u32 size = 8) { return {task, address, size, false, false}; }
event::Access write(u32 task, u64 address = 0, u32 size = 8) { return {task, address, size, true, false}; }
event::Access atomic_write(u32 task) { return {task, 0, 8, true, true}; }

order::Structure& engine() {
  static order::Structure* structure = memory::make<order::Structure>();
  return *structure;
}

struct Result {
  u32 certain = 0, predicted = 0, remembered = 0;
};

Result check(const History& history) {
  EXPECT_TRUE(event::is_legal(history)) << event::listing(history);
  for (Repeats repeats : {Repeats::kTold, Repeats::kShareSites, Repeats::kNotTold}) {
    auto disagreement = race_disagreement(engine(), history, repeats);
    EXPECT_FALSE(disagreement) << *disagreement << "\n" << event::listing(history);
  }
  CheckedRun run(engine());
  for (const event::Event& event : history) run.add(event);
  Result result;
  for (const Reported& report : run.reports())
    ++(report.evidence == Evidence::kCertain ? result.certain : result.predicted);
  result.remembered = run.remembered(0);
  return result;
}

TEST(RaceChecker, SiblingsThatWriteRaceAlsoOnOneThread) {
  EXPECT_EQ(check({Spawn{0, 1}, Begin{1, 1}, write(1), End{1}, Spawn{0, 2}, Begin{2, 1}, write(2)}).certain,
            1u);
}

TEST(RaceChecker, TaskwaitOrders) {
  EXPECT_EQ(check({Spawn{0, 1}, Begin{1}, write(1), End{1}, WaitChildren{0}, write(0)}).certain, 0u);
}

TEST(RaceChecker, CommonLockExcludesAndTwoReadersOfItDoNot) {
  auto with = [](bool first, bool second) {
    return check({Spawn{0, 1}, Begin{1}, Acquire{1, 0, first}, write(1), Release{1, 0, first},
                  Acquire{0, 0, second}, write(0), Release{0, 0, second}});
  };
  EXPECT_EQ(with(true, true).predicted + with(true, true).certain, 0u);
  EXPECT_EQ(with(true, false).predicted + with(true, false).certain, 0u);
  EXPECT_EQ(with(false, false).certain, 1u);
}

TEST(RaceChecker, OrderByLocksMakesARaceOnlyPredicted) {
  Result result = check({Spawn{0, 1}, Begin{1}, write(1), Acquire{1, 0}, Release{1, 0}, Acquire{0, 0},
                         Release{0, 0}, write(0)});
  EXPECT_EQ(result.predicted, 1u);
  EXPECT_EQ(result.certain, 0u);
}

TEST(RaceChecker, AccessAfterTheReleaseIsCertain) {
  EXPECT_EQ(check({Spawn{0, 1}, Begin{1}, Acquire{1, 0}, Release{1, 0}, write(1), Acquire{0, 0},
                   Release{0, 0}, write(0)})
                .certain,
            1u);
}

TEST(RaceChecker, AtomicsDoNotRaceWithEachOtherButWithPlainAccesses) {
  EXPECT_EQ(check({Spawn{0, 1}, Begin{1}, atomic_write(1), atomic_write(0)}).certain, 0u);
  EXPECT_EQ(check({Spawn{0, 1}, Begin{1}, atomic_write(1), read(0)}).certain, 1u);
}

TEST(RaceChecker, BytesDecide) {
  EXPECT_EQ(check({Spawn{0, 1}, Begin{1}, write(1, 0, 4), write(0, 4, 4)}).certain, 0u);
  EXPECT_EQ(check({Spawn{0, 1}, Begin{1}, write(1, 0, 4), write(0, 3, 1)}).certain, 1u);
}

TEST(RaceChecker, ManyReadersThatWaitForOneJoinAreOneEntry) {
  History history;
  for (u32 i = 1; i <= 1000; ++i) history.insert(history.end(), {Spawn{0, i}, Begin{i}, read(i), End{i}});
  EXPECT_EQ(check(history).remembered, 1u);
}

// A binary tree of tasks, in the order of one thread: each reads, spawns and runs its children, and may wait for them.
void add_tree(History& history, u32 task, u32& tasks, u32 levels, bool waits) {
  history.push_back(read(task));
  for (u32 i = 0; i < 2 && levels > 0; ++i) {
    const u32 child = ++tasks;
    history.insert(history.end(), {Spawn{task, child}, Begin{child}});
    add_tree(history, child, tasks, levels - 1, waits);
    history.push_back(End{child});
  }
  if (levels > 0 && waits) history.push_back(WaitChildren{task});
}

TEST(RaceChecker, ATreeOfReadersIsAsManyEntriesAsLevels) {
  constexpr u32 kLevels = 8;
  for (bool waits : {true, false}) {
    History history = {GroupOpen{0}};
    u32 tasks = 0;
    add_tree(history, 0, tasks, kLevels, waits);
    EXPECT_LE(check(history).remembered, 2 * kLevels) << "of " << tasks << (waits ? " that wait" : "");
  }
}

// The same with tasks that are deferred: each ends before its children begin. Only those that have children read.
void add_deferred_tree(History& history, u32 task, u32& tasks, u32 levels) {
  if (levels > 0) history.push_back(read(task));
  const u32 first = tasks + 1;
  for (u32 i = 0; i < 2 && levels > 0; ++i) history.push_back(Spawn{task, ++tasks});
  if (task != 0) history.push_back(End{task});
  for (u32 i = 2; i > 0 && levels > 0; --i) {
    history.push_back(Begin{first + i - 1});
    add_deferred_tree(history, first + i - 1, tasks, levels - 1);
  }
}

TEST(RaceChecker, ATreeOfDeferredReadersIsAsManyEntriesAsLevels) {
  constexpr u32 kLevels = 9;
  History history = {GroupOpen{0}};
  u32 tasks = 0;
  add_deferred_tree(history, 0, tasks, kLevels);
  EXPECT_LE(check(history).remembered, 2 * kLevels) << "of " << tasks;
}

// Task 2 comes to know task 1, but not the other reader, by a signal of a task that outlived task 1.
TEST(RaceChecker, AReaderDoesNotStandForOthersIfADescendantSignalled) {
  EXPECT_EQ(
      check({GroupOpen{0}, Spawn{0, 1}, Spawn{0, 2}, Spawn{0, 3}, Begin{3}, read(3), End{3}, Begin{1},
             read(1), Spawn{1, 4}, End{1}, Begin{4}, Signal{4, 7}, End{4}, Begin{2}, Await{2, 7}, write(2)})
          .certain,
      1u);
}

// Task 4 outlives task 1 and comes after its read, but not after the other one.
TEST(RaceChecker, AReaderDoesNotStandForOthersWhileADescendantRuns) {
  EXPECT_EQ(check({GroupOpen{0}, Spawn{0, 1}, Spawn{0, 3}, Begin{3}, read(3), End{3}, Begin{1}, read(1),
                   Spawn{1, 2}, Spawn{1, 4}, End{1}, Begin{2}, End{2}, Begin{4}, write(4)})
                .certain,
            1u);
}

TEST(RaceChecker, TasksThatSpawnTheNextAndThenReadAreFewEntries) {
  History history = {GroupOpen{0}};
  constexpr u32 kTasks = 500;
  for (u32 i = 0; i < kTasks; ++i) {
    history.insert(history.end(), {Spawn{i, i + 1}, read(i)});
    if (i > 0) history.push_back(End{i});
    history.push_back(Begin{i + 1});
  }
  EXPECT_LE(check(history).remembered, 16u);
}

// Of two tasks that one task waited for, one after the other, only the later one is known no earlier than both.
TEST(RaceChecker, AReaderDoesNotStandForOneThatIsJoinedLater) {
  EXPECT_EQ(check({GroupOpen{0}, Spawn{0, 1}, Begin{1}, Spawn{1, 2}, Begin{2}, read(2), End{2},
                   WaitChildren{1}, Spawn{1, 3}, Begin{3}, Spawn{1, 4}, read(3), End{3}, Begin{4}, write(4)})
                .certain,
            1u);
}

TEST(RaceChecker, ReadersInDifferentGroupsAreKept) {
  // The first is joined by the group, the second is not: the write races with the second only.
  History history = {Spawn{0, 1},   Begin{1},    GroupOpen{1}, Spawn{1, 2}, Begin{2}, read(2), End{2},
                     GroupClose{1}, Spawn{1, 3}, Begin{3},     read(3),     End{3},   write(1)};
  EXPECT_EQ(check(history).certain, 1u);
}

TEST(RaceChecker, ReaderLeftBehindIsNotForgottenForAJoinedOne) {
  // 3 is a grandchild that no task waits for; 1 is joined by the taskwait.
  History history = {Spawn{0, 1}, Begin{1}, Spawn{1, 3}, Begin{3},        read(3),
                     End{3},      read(1),  End{1},      WaitChildren{0}, write(0)};
  EXPECT_EQ(check(history).certain, 1u);
}

TEST(RaceChecker, ReaderThatSignalledDoesNotStandForOneThatDidNot) {
  History history = {Spawn{0, 1}, Begin{1}, read(1), Signal{1, 0}, End{1},  Spawn{0, 2},
                     Begin{2},    read(2),  End{2},  Await{0, 0},  write(0)};
  EXPECT_EQ(check(history).certain, 1u);
}

TEST(RaceChecker, ReaderThatReleasedALockStandsForOthersByStructureOnly) {
  History history = {Spawn{0, 1}, Begin{1}, read(1), Acquire{1, 0}, Release{1, 0}, End{1},
                     Spawn{0, 2}, Begin{2}, read(2), End{2},        Acquire{0, 0}, write(0)};
  Result result = check(history);
  EXPECT_EQ(result.certain, 1u);
}

// Readers that each take one of some locks: before they read, after that, or around it.
enum class Locks { kBefore, kAfter, kAround };
History readers_with_locks(Locks where, u32 locks) {
  History history;
  for (u32 i = 1; i <= 300; ++i) {
    history.insert(history.end(), {Spawn{0, i}, Begin{i}});
    if (where == Locks::kAfter) history.push_back(read(i));
    history.push_back(Acquire{i, i % locks});
    if (where == Locks::kAround) history.push_back(read(i));
    history.push_back(Release{i, i % locks});
    if (where == Locks::kBefore) history.push_back(read(i));
    history.push_back(End{i});
  }
  return history;
}
TEST(RaceChecker, ReadersThatTakeLocksAreFewEntriesForEachLock) {
  for (Locks where : {Locks::kBefore, Locks::kAfter, Locks::kAround})
    for (u32 locks : {1u, 2u, 16u})
      EXPECT_LE(check(readers_with_locks(where, locks)).remembered, 4 * locks + 8)
          << static_cast<int>(where) << " " << locks;
}

// The last reader stands for the others, which have released the lock before: what comes after it comes after them.
// One that released another lock later than that is still needed.
TEST(RaceChecker, ASectionStandsForEarlierOnesOfItsLockOnly) {
  History history = readers_with_locks(Locks::kAfter, 1);
  history.insert(history.begin(),
                 {Spawn{0, 2000}, Begin{2000}, read(2000), Acquire{2000, 7}, Release{2000, 7}, End{2000}});
  history.insert(history.end(), {Acquire{0, 0}, write(0), Release{0, 0}});
  const Result result = check(history);
  EXPECT_EQ(result.certain, 1u);
  EXPECT_GE(result.predicted, 1u);
}

TEST(RaceChecker, ReaderWhoseJoinedChildSignalledDoesNotStandForOthers) {
  // 1 reads and its child signals; 2 reads and hands a lock over to 0, which reads: 2's read must not be
  // forgotten for 1's, because 0 comes after 1 once it has awaited the signal, and still races with 2.
  Result result = check({Spawn{0, 1},   Begin{1},      read(1),         Spawn{1, 3},   Begin{3},
                         Signal{3, 0},  End{3},        WaitChildren{1}, End{1},        Spawn{0, 2},
                         Begin{2},      read(2),       Acquire{2, 0},   Release{2, 0}, End{2},
                         Acquire{0, 0}, Release{0, 0}, read(0),         Await{0, 0},   write(0)});
  EXPECT_EQ(result.predicted, 1u);
  EXPECT_EQ(result.certain, 0u);
}

TEST(RaceChecker, ListsShrinkBackIntoTheCell) {
  History history;
  for (u32 i = 1; i <= 20; ++i) history.insert(history.end(), {Spawn{0, i}, Begin{i}, read(i)});
  for (u32 i = 1; i <= 20; ++i) history.push_back(End{i});
  EXPECT_EQ(check(history).remembered, 20u) << "tasks that run may still signal";
  history.push_back(WaitChildren{0});
  history.push_back(write(0));
  EXPECT_EQ(check(history).remembered, 1u);
}

// Two keep their entries in the cell, four in a list.
TEST(RaceChecker, WhatATaskDoesAgainIsOneEntryOfItsLastStrand) {
  for (u32 tasks : {2u, 4u}) {
    History history;
    for (u32 i = 1; i <= tasks; ++i) history.insert(history.end(), {Spawn{0, i}, Begin{i}});
    for (u32 round = 0; round < 3; ++round)
      for (u32 i = 1; i <= tasks; ++i) history.insert(history.end(), {atomic_write(i), Signal{i, i}});
    EXPECT_EQ(check(history).remembered, tasks);
    for (u32 i = 1; i <= tasks; ++i) history.push_back(Await{0, i});
    History late = history;
    history.push_back(read(0));
    EXPECT_EQ(check(history).certain, 0u);
    late.insert(late.end(), {atomic_write(2), read(0)});
    EXPECT_EQ(check(late).certain, 1u) << "the last write of task 2 comes after its last signal";
  }
}

// A table of values that tasks read under one of many locks each time, as a hash map with sharded locks.
History readers_under_many_locks(u32 tasks, u32 locks, u32 rounds) {
  History history{write(0)};
  for (u32 i = 1; i <= tasks; ++i) history.insert(history.end(), {Spawn{0, i}, Begin{i}});
  for (u32 round = 0; round < rounds; ++round)
    for (u32 lock = 0; lock < locks; ++lock)
      for (u32 i = 1; i <= tasks; ++i)
        history.insert(history.end(), {Acquire{i, lock}, read(i), Release{i, lock}});
  return history;
}
TEST(RaceChecker, WhatTasksReadUnderManyLocksIsOneEntryForEachLockAndTask) {
  EXPECT_EQ(check(readers_under_many_locks(2, 16, 1)).remembered, 33u);
  EXPECT_EQ(check(readers_under_many_locks(2, 16, 4)).remembered, 33u);
}
TEST(RaceChecker, AWriteAmongManyReadsUnderLocksRacesWithLaterOnes) {
  const auto races = [](const History& history) {
    const Result result = check(history);
    return result.certain + result.predicted;
  };
  const event::Access others[] = {write(3), write(3, 4, 4), atomic_write(3)};
  for (const event::Access& other : others) {
    History history = readers_under_many_locks(2, 8, 2);
    history.insert(history.begin() + 1, {Spawn{0, 3}, Begin{3}});
    history.insert(history.end(), {Acquire{3, 5}, other, Release{3, 5}});
    EXPECT_EQ(races(history), 14u) << "of each task all reads but those under that lock";
    for (u32 lock : {4u, 5u, 6u})
      history.insert(history.end(), {Acquire{1, lock}, read(1), Release{1, lock}});
    EXPECT_EQ(races(history), 16u);
    // A part of what was read before, then more than that.
    history.insert(history.end(),
                   {Acquire{2, 4}, read(2, 4, 4), Release{2, 4}, Acquire{2, 4}, write(2, 4, 4)});
    EXPECT_GT(races(history), 17u);
  }
}

TEST(RaceChecker, ThreadsOfOneNumberDoNotRaceOnlyIfBothAskedForIt) {
  auto with = [](bool first, bool second, u32 thread) {
    History history = {Spawn{0, 1}, Begin{1, thread}};
    if (first) history.push_back(Bind{1});
    history.push_back(write(1));
    if (second) history.push_back(Bind{0});
    history.push_back(write(0));
    return check(history).certain;
  };
  EXPECT_EQ(with(true, true, 1), 0u);
  EXPECT_EQ(with(true, true, 2), 1u);
  EXPECT_EQ(with(true, false, 1), 1u);
  EXPECT_EQ(with(false, true, 1), 1u);
}

// --- found by random programs
// ----------------------------------------------------------------------------------------

TEST(RaceChecker, NewMemoryHasNoPast) {
  EXPECT_EQ(check({Spawn{0, 1}, Begin{1}, write(1), write(0)}).certain, 1u);
  EXPECT_EQ(check({Spawn{0, 1}, Begin{1}, write(1), NewMemory{0, 0, 8}, write(0)}).certain, 0u);
  // Whole granules, and only those that it touches.
  EXPECT_EQ(check({Spawn{0, 1}, Begin{1}, write(1), NewMemory{0, 7, 1}, write(0)}).certain, 0u);
  EXPECT_EQ(check({Spawn{0, 1}, Begin{1}, write(1), NewMemory{0, 8, 8}, write(0)}).certain, 1u);
  // What comes later races as before.
  EXPECT_EQ(check({Spawn{0, 1}, Begin{1}, write(1), NewMemory{0, 0, 8}, write(0), write(1)}).certain, 1u);
}

TEST(RaceCheckerRegression, BoundAccessDoesNotReplaceAFreeOne) {
  EXPECT_EQ(check({Bind{0}, Spawn{0, 1}, Begin{1, 1}, read(1), Bind{1}, read(1), write(0)}).certain, 1u);
}

TEST(RaceCheckerRegression, BoundAccessDoesNotReplaceOneOfAnotherThread) {
  EXPECT_EQ(check({Bind{0}, Spawn{0, 1}, Begin{1, 3}, read(1), Spawn{1, 3}, Begin{3, 1}, Bind{3}, write(3),
                   write(0)})
                .certain,
            1u);
}

TEST(RaceCheckerRegression, CreatorOfAThreadDoesNotStandForItsSiblings) {
  // The thread knows 1's read, not 2's: after 1 has ended, its read must not stand for 2's.
  EXPECT_EQ(check({Fork{0, 0}, TeamBegin{1, 0, 1}, TeamBegin{2, 0, 1}, read(1),
                   Spawn{1, 3, SpawnKind::kThread}, BarrierArrive{1, 0}, read(2), Begin{3, 1}, write(3)})
                .certain,
            1u);
}

TEST(RaceCheckerRegression, WalkOverBytesIsJudgedAsMadeAndRememberedAsAWhole) {
  // 2 reads the upper half, then the lower: that 1's read stands for the lower half does not make the upper
  // one superfluous.
  EXPECT_EQ(check({Spawn{0, 1}, Begin{1}, read(1, 0, 4), End{1}, Spawn{0, 2}, Begin{2}, read(2, 4, 4),
                   read(2, 0, 4), End{2}, write(0, 4, 1)})
                .certain,
            1u);
  // The second read does not touch what was written, though the first, at the same place in the program, did.
  EXPECT_EQ(check({Spawn{0, 1}, Begin{1}, read(1), write(0, 7, 1), read(1, 4, 2)}).certain, 1u);
}

// The one beside knows its creator, but not its creator's siblings: their accesses do not stand for each other.
TEST(RaceChecker, ATaskSpawnedBesideKnowsOnlyItsCreator) {
  EXPECT_EQ(check({Spawn{0, 1}, Begin{1, 2}, write(1), Spawn{0, 2}, Begin{2, 2}, write(2),
                   Spawn{2, 3, SpawnKind::kBeside}, read(2), End{2}, Begin{3, 1}, read(3)})
                .certain,
            3u);
}

}  // namespace
}  // namespace heddle::race
