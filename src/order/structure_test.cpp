// Small named cases of the order, each a history that can be drawn by hand. What random programs found is
// kept at the end.
#include "order/structure.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/memory.hpp"
#include "event/listing.hpp"
#include "event/run_state.hpp"
#include "order/builder/order_builder.hpp"
#include "order/graph/compare.hpp"

namespace heddle::order {
namespace {

using namespace event;
using event::DependKind;

Structure& engine() {
  static Structure* structure = memory::make<Structure>();
  return *structure;
}

// The engine on a history; asks whether all that a task has done comes before what another does now.
class Ordered {
 public:
  explicit Ordered(const History& history) : builder_(engine()) {
    EXPECT_TRUE(is_legal(history)) << listing(history);
    for (const Event& event : history) {
      if (std::holds_alternative<End>(event)) last_[task_of(event)] = task(task_of(event)).now;
      builder_.add(event);
    }
    auto disagreement = order_disagreement(engine(), history);
    EXPECT_FALSE(disagreement) << *disagreement << "\n" << listing(history);
  }
  Task& task(u32 number) { return builder_.task(number); }
  // REQUIRES: `now` has not ended.
  bool before(u32 earlier, u32 now) {
    return last(earlier) <= engine().known_by_structure(task(earlier), task(now));
  }

 private:
  Index last(u32 number) { return last_.count(number) ? last_[number] : task(number).now; }

  OrderBuilder builder_;
  std::map<u32, Index> last_;  // the last strand of tasks that have ended
};

TEST(Structure, ChildComesAfterItsSpawnAndIsParallelToWhatFollows) {
  Ordered o({Spawn{0, 1}, Begin{1}});
  EXPECT_EQ(engine().known_by_structure(o.task(0), o.task(1)), 1u);
  EXPECT_FALSE(o.before(0, 1));
  EXPECT_FALSE(o.before(1, 0));
}

TEST(Structure, AnEndSnapshotOrdersTheTaskAndItsClockBeforeOtherTasks) {
  Structure& order = engine();
  Task& root = *order.make_root();
  Task &parent = *order.spawn_thread(root), &stranger = *order.spawn_thread(root);
  SyncObject flag;
  order.publish(parent, flag);
  Task& child = *order.spawn_thread(parent);
  const Index spawned_at = child.spawned_at;
  order.await(child, flag);
  const EndSnapshot left = order.end_snapshot(child);
  order.end(child);
  EXPECT_EQ(order.known_by_structure(child, stranger), 0u);
  order.acquire_snapshot(stranger, left);
  EXPECT_EQ(order.known_by_structure(child, stranger), left.at);
  EXPECT_EQ(order.known_by_structure(parent, stranger), spawned_at) << "not what it did after the spawn";
}

TEST(Structure, AChildWithAnEndSnapshotIsJoinedByItsParentWithoutClocks) {
  Structure& order = engine();
  Task& parent = *order.make_root();
  Task &child = *order.spawn_thread(parent), &other = *order.spawn_thread(parent);
  const EndSnapshot left = order.end_snapshot(child);
  order.end(child);
  order.join_awaited(parent, child);
  order.join_awaited(parent, child);
  EXPECT_EQ(order.known_by_structure(child, parent), kAll);
  EXPECT_TRUE(parent.live->knows.empty());
  EXPECT_EQ(order.known_by_structure(child, other), 0u);
  const Task& later = *order.spawn_thread(parent);
  EXPECT_EQ(order.known_by_structure(child, later), kAll);
}

TEST(Structure, SiblingsAreParallelThoughTheyRanOneAfterTheOther) {
  Ordered o({Spawn{0, 1}, Begin{1}, End{1}, Spawn{0, 2}, Begin{2}});
  EXPECT_FALSE(o.before(1, 2));
}

TEST(Structure, TaskwaitJoinsChildrenAndLeavesGrandchildren) {
  Ordered o({Spawn{0, 1}, Begin{1}, Spawn{1, 2}, Begin{2}, End{1}, WaitChildren{0}});
  EXPECT_TRUE(o.before(1, 0));
  EXPECT_FALSE(o.before(2, 0));
}

TEST(Structure, TaskgroupJoinsGrandchildrenToo) {
  Ordered o({GroupOpen{0}, Spawn{0, 1}, Begin{1}, Spawn{1, 2}, Begin{2}, End{1}, End{2}, GroupClose{0}});
  EXPECT_TRUE(o.before(1, 0));
  EXPECT_TRUE(o.before(2, 0));
}

TEST(Structure, TaskgroupDoesNotJoinWhatWasSpawnedBeforeIt) {
  Ordered o({Spawn{0, 1}, Begin{1}, GroupOpen{0}, Spawn{0, 2}, Begin{2}, End{2}, GroupClose{0}});
  EXPECT_FALSE(o.before(1, 0));
  EXPECT_TRUE(o.before(2, 0));
}

TEST(Structure, TaskwaitInsideATaskgroupAlsoJoinsChildrenFromBeforeIt) {
  Ordered o({Spawn{0, 1}, Begin{1}, GroupOpen{0}, Spawn{0, 2}, Begin{2}, End{1}, End{2}, WaitChildren{0}});
  EXPECT_TRUE(o.before(1, 0));
  EXPECT_TRUE(o.before(2, 0));
}

TEST(Structure, UndeferredChildIsJoinedByItsEndAndItsChildrenAreNot) {
  Ordered o({Spawn{0, 1, SpawnKind::kUndeferred}, Begin{1}, Spawn{1, 2}, Begin{2}, End{1}});
  EXPECT_TRUE(o.before(1, 0));
  EXPECT_FALSE(o.before(2, 0));
}

TEST(Structure, BarrierJoinsThreadsWorkAndTasks) {
  Ordered o({Fork{0, 0}, TeamBegin{1, 0}, TeamBegin{2, 0}, Spawn{1, 3}, Begin{3}, WorkBegin{4, 0}, End{4},
             End{3}, BarrierArrive{1, 0}, BarrierArrive{2, 0}, BarrierLeave{1, 0}});
  EXPECT_TRUE(o.before(3, 1));
  EXPECT_TRUE(o.before(4, 1));
  EXPECT_TRUE(o.before(2, 1));
}

TEST(Structure, WorkIsParallelToTheThreadThatTookIt) {
  EXPECT_FALSE(Ordered({Fork{0, 0}, TeamBegin{1, 0}, WorkBegin{2, 0}}).before(1, 2));
  EXPECT_FALSE(Ordered({Fork{0, 0}, TeamBegin{1, 0}, WorkBegin{2, 0}, End{2}}).before(2, 1));
}

TEST(Structure, JoinOfATeamJoinsItsTasks) {
  Ordered o({Fork{0, 0}, TeamBegin{1, 0}, Spawn{1, 2}, Begin{2}, End{2}, End{1}, Join{0, 0}});
  EXPECT_TRUE(o.before(1, 0));
  EXPECT_TRUE(o.before(2, 0));
}

TEST(Structure, SignalTellsOfJoinedDescendantsThroughTheAncestorWhoJoinedThem) {
  // 1 is joined into 0, and 0 signals: whoever awaits it comes after 1, though no clock names 1.
  Ordered o({Spawn{0, 3, SpawnKind::kThread}, Begin{3}, Spawn{0, 1}, Begin{1}, End{1}, WaitChildren{0},
             Signal{0, 0}, Await{3, 0}});
  EXPECT_TRUE(o.before(1, 3));
  EXPECT_EQ(o.task(1).chain.load(), 0u);
}

TEST(Structure, SignalOfAChildTellsOfItsParentUpToTheSpawn) {
  Ordered o({Spawn{0, 2, SpawnKind::kThread}, Begin{2}, Spawn{0, 1}, Begin{1}, Signal{1, 0}, Await{2, 0}});
  EXPECT_EQ(engine().known_by_structure(o.task(0), o.task(2)), 2u);
}

TEST(Structure, ReplacingSignalForgetsTheOneBefore) {
  Ordered o({Spawn{0, 1, SpawnKind::kThread}, Begin{1}, Spawn{0, 2, SpawnKind::kThread}, Begin{2},
             Signal{1, 0}, End{1}, Signal{2, 0, true}, Await{0, 0}});
  EXPECT_EQ(engine().known_by_structure(o.task(1), o.task(0)), 0u);
  EXPECT_EQ(engine().known_by_structure(o.task(2), o.task(0)), 1u);
}

TEST(Structure, LocksOrderInFullOnly) {
  Ordered o({Spawn{0, 1}, Begin{1}, Acquire{1, 0}, Release{1, 0}, Acquire{0, 0}});
  EXPECT_EQ(engine().known_by_structure(o.task(1), o.task(0)), 0u);
  EXPECT_EQ(engine().known_in_full(o.task(1), o.task(0)), 2u);
}

TEST(Structure, ReadersDoNotOrderReaders) {
  Ordered o({Spawn{0, 1}, Begin{1}, Acquire{1, 0, false}, Release{1, 0, false}, Acquire{0, 0, false}});
  EXPECT_EQ(engine().known_in_full(o.task(1), o.task(0)), 0u);
}

TEST(Structure, WriterComesAfterEarlierReaders) {
  Ordered o({Spawn{0, 1}, Begin{1}, Acquire{1, 0, false}, Release{1, 0, false}, Acquire{0, 0, true}});
  EXPECT_EQ(engine().known_in_full(o.task(1), o.task(0)), 2u);
}

TEST(Structure, JoinTellsWhatTheJoinedTaskHadLearned) {
  Ordered o({Spawn{0, 1, SpawnKind::kThread}, Begin{1}, Signal{1, 0}, Spawn{0, 2}, Begin{2}, Await{2, 0},
             End{2}, WaitChildren{0}});
  EXPECT_EQ(engine().known_by_structure(o.task(1), o.task(0)), 1u);
}

TEST(Structure, DependenceOrdersEndBeforeBeginAndLeavesChildrenOut) {
  Ordered o({Spawn{0, 1, SpawnKind::kTask, {{0, DependKind::kOut}}},
             Spawn{0, 2, SpawnKind::kTask, {{0, DependKind::kIn}}}, Begin{1}, Spawn{1, 3}, Begin{3}, End{1},
             Begin{2}});
  EXPECT_TRUE(o.before(1, 2));
  EXPECT_FALSE(o.before(3, 2));
}

TEST(Structure, SetsShareAGenerationAndTheNextKindWaitsForAllOfIt) {
  for (DependKind kind : {DependKind::kIn, DependKind::kInoutset, DependKind::kMutexinoutset}) {
    History history = {Spawn{0, 1, SpawnKind::kTask, {{0, kind}}},
                       Spawn{0, 2, SpawnKind::kTask, {{0, kind}}},
                       Spawn{0, 3, SpawnKind::kTask, {{0, DependKind::kOut}}},
                       Begin{1},
                       End{1},
                       Begin{2}};
    EXPECT_FALSE(Ordered(history).before(1, 2));
    history.insert(history.end(), {End{2}, Begin{3}});
    EXPECT_TRUE(Ordered(history).before(1, 3));
    EXPECT_TRUE(Ordered(history).before(2, 3));
  }
}

TEST(Structure, AllMemoryWaitsForEveryClauseAndHoldsBackEveryLaterOne) {
  Ordered o({Spawn{0, 1, SpawnKind::kTask, {{7, DependKind::kIn}}},
             Spawn{0, 2, SpawnKind::kTask, {{0, DependKind::kAllMemory}}},
             Spawn{0, 3, SpawnKind::kTask, {{9, DependKind::kIn}}}, Begin{1}, End{1}, Begin{2}, End{2},
             Begin{3}});
  EXPECT_TRUE(o.before(1, 3));
  EXPECT_TRUE(o.before(2, 3));
}

TEST(Structure, TaskwaitDependJoinsOnlyWhatItNames) {
  Ordered o({Spawn{0, 1, SpawnKind::kTask, {{1, DependKind::kOut}}},
             Spawn{0, 2, SpawnKind::kTask, {{2, DependKind::kOut}}}, Begin{1}, End{1}, Begin{2}, End{2},
             WaitDepend{0, {{1, DependKind::kIn}}}});
  EXPECT_TRUE(o.before(1, 0));
  EXPECT_FALSE(o.before(2, 0));
}

TEST(Structure, ThreadIsJoinedByNameOnly) {
  History history = {GroupOpen{0}, Spawn{0, 1, SpawnKind::kThread},
                     Begin{1},     Spawn{0, 2},
                     Begin{2},     End{2},
                     End{1},       WaitChildren{0},
                     GroupClose{0}};
  EXPECT_FALSE(Ordered(history).before(1, 0));
  history.push_back(JoinThread{0, 1});
  EXPECT_TRUE(Ordered(history).before(1, 0));
}

TEST(Structure, ThreadIsJoinedByAnyone) {
  Ordered o({Spawn{0, 1, SpawnKind::kThread}, Begin{1}, Spawn{0, 2, SpawnKind::kThread}, Begin{2}, End{1},
             JoinThread{2, 1}});
  EXPECT_TRUE(o.before(1, 2));
}

TEST(Structure, ChainsAreCarriedOnByTasksAfterAJoin) {
  // A hundred rounds of a child that signals need the chains of one.
  History history;
  for (u32 i = 1; i <= 100; ++i) {
    History round = {Spawn{0, i}, Begin{i}, Signal{i, 0}, End{i}, WaitChildren{0}};
    history.insert(history.end(), round.begin(), round.end());
  }
  Ordered o(history);
  for (u32 i = 2; i <= 100; ++i) EXPECT_EQ(o.task(i).chain.load(), o.task(1).chain.load());
}

// Clocks are as large as there are chains: so the cost of a run grows with its threads, not with their square.
TEST(Structure, RoundsOfThreadsNeedTheChainsOfOneRound) {
  constexpr u32 kThreads = 8, kRounds = 50;
  History history;
  for (u32 round = 0; round < kRounds; ++round) {
    const u32 first = round * kThreads + 1;
    for (u32 i = first; i < first + kThreads; ++i)
      history.insert(history.end(), {Spawn{0, i, SpawnKind::kThread}, Begin{i}, Signal{i, 0}, End{i}});
    for (u32 i = first; i < first + kThreads; ++i) history.push_back(JoinThread{0, i});
  }
  Ordered o(history);
  std::set<u32> chains;
  for (u32 i = 1; i <= kRounds * kThreads; ++i) chains.insert(o.task(i).chain.load());
  EXPECT_EQ(chains.size(), kThreads);
}

TEST(Structure, RoundsOfThreadsWithTasksNeedTheChainsOfAFewRounds) {
  constexpr u32 kThreads = 4, kTasks = 3, kRounds = 30;
  History history;
  u32 next = 1;
  for (u32 round = 0; round < kRounds; ++round) {
    std::vector<u32> threads;
    for (u32 i = 0; i < kThreads; ++i) {
      const u32 thread = next++;
      threads.push_back(thread);
      history.insert(history.end(), {Spawn{0, thread, SpawnKind::kThread}, Begin{thread}, Signal{thread, 0}});
      const u32 first = next;
      for (u32 k = 0; k < kTasks; ++k) {
        const u32 task = next++;
        history.insert(history.end(), {Spawn{thread, task}, Begin{task}, Signal{task, 0}});
      }
      for (u32 task = first; task < next; ++task) history.push_back(End{task});
      history.insert(history.end(), {WaitChildren{thread}, End{thread}});
    }
    for (u32 thread : threads) history.push_back(JoinThread{0, thread});
  }
  Ordered o(history);
  std::set<u32> chains;
  for (u32 i = 1; i < next; ++i) chains.insert(o.task(i).chain.load());
  EXPECT_LE(chains.size(), 2 * kThreads * (kTasks + 1));
}

TEST(Structure, ChainsAreCarriedOnByDependences) {
  History history;
  for (u32 i = 1; i <= 50; ++i) history.push_back(Spawn{0, i, SpawnKind::kTask, {{0, DependKind::kOut}}});
  for (u32 i = 1; i <= 50; ++i) history.insert(history.end(), {Begin{i}, End{i}});
  Ordered o(history);
  EXPECT_EQ(o.task(50).chain.load(), o.task(1).chain.load());
  EXPECT_FALSE(o.before(50, 0));
}

TEST(Structure, QuietMeansThatNothingLeftTheTask) {
  Ordered o({Spawn{0, 1}, Begin{1}, End{1}, Spawn{0, 2}, Begin{2}, Signal{2, 0}, End{2}, Spawn{0, 3},
             Begin{3}, Acquire{3, 0}, Release{3, 0}, End{3}, Spawn{0, 4}, Begin{4}, Spawn{4, 5}, End{4},
             Spawn{0, 6}, Begin{6}});
  auto quiet = [&](u32 task) { return Structure::quiet_by_structure(o.task(task), 1); };
  EXPECT_TRUE(quiet(1));
  EXPECT_FALSE(quiet(2));
  EXPECT_TRUE(quiet(3));
  EXPECT_FALSE(Structure::quiet_in_full(o.task(3), 1));
  EXPECT_FALSE(quiet(4)) << "its child may still tell of it";
  EXPECT_FALSE(quiet(6)) << "it has not ended";
}

// --- found by random programs
// ----------------------------------------------------------------------------------------

TEST(StructureRegression, TaskgroupMayContainABarrier) {
  Ordered o({Fork{0, 0}, TeamBegin{1, 0}, GroupOpen{1}, Spawn{1, 2}, Begin{2}, End{2}, BarrierArrive{1, 0},
             BarrierLeave{1, 0}, Spawn{1, 3}, Begin{3}, Spawn{3, 4}, Begin{4}, End{3}, End{4},
             GroupClose{1}});
  EXPECT_TRUE(o.before(2, 1));
  EXPECT_TRUE(o.before(4, 1)) << "the group goes on after the barrier";
}

TEST(StructureRegression, GroupLeftOpenIsJoinedByTheGroupAround) {
  Ordered o({GroupOpen{0}, Spawn{0, 1}, Begin{1}, GroupOpen{1}, Spawn{1, 2}, Begin{2}, End{1}, End{2},
             GroupClose{0}});
  EXPECT_TRUE(o.before(2, 0));
}

TEST(StructureRegression, GroupLeftOpenPassesOnWhatItsTasksLearned) {
  Ordered o({Spawn{0, 9, SpawnKind::kThread}, Begin{9}, Signal{9, 0}, GroupOpen{0}, Spawn{0, 1}, Begin{1},
             GroupOpen{1}, Spawn{1, 2}, Begin{2}, End{1}, Await{2, 0}, End{2}, GroupClose{0}});
  EXPECT_EQ(engine().known_by_structure(o.task(9), o.task(0)), 1u);
}

TEST(StructureRegression, CreatorOfAThreadIsNotQuietBeforeTheCreation) {
  Ordered o({Spawn{0, 1}, Begin{1}, Spawn{1, 2, SpawnKind::kThread}, End{1}});
  EXPECT_FALSE(Structure::quiet_by_structure(o.task(1), 1));
  EXPECT_TRUE(Structure::quiet_by_structure(o.task(1), 2));
}

}  // namespace
}  // namespace heddle::order
