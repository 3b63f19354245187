// The deadlock engine against all chains of acquisitions, on random programs that acquire locks in any order: it
// finds each cycle of dependencies once, and no other.
//
// HEDDLE_ORACLE_PROGRAMS sets the number of histories, HEDDLE_ORACLE_SEED where their numbers start.
#include <gtest/gtest.h>

#include "engine/engine.hpp"
#include "engine/oracle/all_cycles.hpp"
#include "event/listing.hpp"
#include "event/random/campaign.hpp"

namespace heddle::engine {
namespace {

using namespace event;

LockAndPlace place(const deadlock::Acquisition& a) { return {a.lock, a.site, a.write}; }

std::vector<LockCycle> found(const History& history) {
  std::unique_ptr<Engine> engine = find_engine("deadlock")->make({});
  for (const Event& event : history) engine->add(event);
  engine->finish();
  std::vector<LockCycle> cycles;
  for (const Deadlock& deadlock : engine->deadlocks) {
    LockCycle cycle;
    for (const DeadlockEdge& edge : deadlock) {
      LockDependency dependency{place(edge.wants), {}};
      for (const deadlock::Acquisition& held : edge.held) dependency.held.push_back(place(held));
      cycle.push_back(std::move(dependency));
    }
    cycles.push_back(canonical(std::move(cycle)));
  }
  return cycles;
}

std::optional<std::string> disagreement(const History& history) {
  const std::set<LockCycle> truth = all_cycles(history);
  const std::vector<LockCycle> told = found(history);
  const std::set<LockCycle> once(told.begin(), told.end());
  if (once.size() != told.size()) return "a cycle is told twice";
  for (const LockCycle& cycle : told)
    if (!truth.contains(cycle)) return "a cycle of " + std::to_string(cycle.size()) + " that is none";
  for (const LockCycle& cycle : truth)
    if (!once.contains(cycle)) return "a cycle of " + std::to_string(cycle.size()) + " is missing";
  return std::nullopt;
}

TEST(DeadlockOracle, FindsTheCyclesOfLocks) { EXPECT_EQ(run_campaign(Model::kLockOrders, disagreement), ""); }

// If each acquisition has its own place, each is its own dependency; with a few places, some are the same.
TEST(DeadlockOracle, FindsTheCyclesOfPlaces) {
  for (const u32 places : {~0u, 3u}) {
    auto judge = [&](History history) {
      for (u32 i = 0; i < history.size(); ++i)
        if (auto* acquire = std::get_if<Acquire>(&history[i])) acquire->site = 1 + i % places;
      return disagreement(history);
    };
    EXPECT_EQ(run_campaign(Model::kLockOrders, judge, campaign_programs() / 4), "");
  }
}

// A test that found no cycle at all would be no test.
TEST(DeadlockOracle, RandomProgramsHaveCyclesOfEachLength) {
  std::map<usize, u32> lengths;
  for (u64 number = 1; number <= 20'000; ++number)
    for (const LockCycle& cycle : all_cycles(numbered_run(Model::kLockOrders, number).history))
      ++lengths[cycle.size()];
  for (const usize length : {2u, 3u, 4u}) EXPECT_GT(lengths[length], 20u) << length;
}

// --- by hand -------------------------------------------------------------------------------------------------------

// Acquires b inside a, as a thread of its own.
void nest(History& history, u32 task, u32 a, u32 b, bool write = true) {
  history.insert(history.end(), {Begin{task, task + 1}, Acquire{task, a, write}, Acquire{task, b, write},
                                 Release{task, b, write}, Release{task, a, write}, End{task}});
}
History threads(u32 count) {
  History history;
  for (u32 i = 1; i <= count; ++i) history.push_back(Spawn{0, i, SpawnKind::kThread});
  return history;
}

TEST(Deadlock, TwoLocksInTwoOrders) {
  History history = threads(2);
  nest(history, 1, 0, 1);
  nest(history, 2, 1, 0);
  EXPECT_EQ(found(history).size(), 1u);
}

TEST(Deadlock, FiveLocksInACircle) {
  History history = threads(5);
  for (u32 i = 1; i <= 5; ++i) nest(history, i, i, i % 5 + 1);
  ASSERT_EQ(found(history).size(), 1u);
  EXPECT_EQ(found(history)[0].size(), 5u);
}

TEST(Deadlock, WhoeverIsJoinedFirstIsNotInIt) {
  History history = threads(1);
  nest(history, 1, 0, 1);
  history.insert(history.end(), {JoinThread{0, 1}, Spawn{0, 2, SpawnKind::kThread}});
  nest(history, 2, 1, 0);
  EXPECT_TRUE(found(history).empty());
}

TEST(Deadlock, AGuardKeepsThemApart) {
  for (const bool write : {true, false}) {
    History history = threads(2);
    for (const u32 task : {1u, 2u}) {
      const u32 first = task - 1, second = 2 - task;
      history.insert(history.end(), {Begin{task, task + 1}, Acquire{task, 9, write}, Acquire{task, first},
                                     Acquire{task, second}, Release{task, second}, Release{task, first},
                                     Release{task, 9, write}, End{task}});
    }
    EXPECT_EQ(found(history).size(), write ? 0u : 1u) << "held by both for reading, it guards nothing";
  }
}

TEST(Deadlock, ReadersDoNotWaitForEachOther) {
  History history = threads(2);
  nest(history, 1, 0, 1, false);
  nest(history, 2, 1, 0, false);
  EXPECT_TRUE(found(history).empty());
}

TEST(Deadlock, WhoTriesDoesNotWait) {
  History history = threads(2);
  nest(history, 1, 0, 1);
  nest(history, 2, 1, 0);
  std::get<Acquire>(history[4]).tries = true;
  EXPECT_TRUE(found(history).empty());
}

TEST(Deadlock, TwoThreadsAreNotEnoughForThree) {
  History history = threads(2);
  for (const u32 task : {1u, 2u}) {
    history.push_back(Begin{task, task + 1});
    for (u32 i = 0; i < 3; ++i)
      history.insert(history.end(), {Acquire{task, i}, Acquire{task, (i + 1) % 3}, Release{task, (i + 1) % 3},
                                     Release{task, i}});
    history.push_back(End{task});
  }
  EXPECT_TRUE(found(history).empty());
}

}  // namespace
}  // namespace heddle::engine
