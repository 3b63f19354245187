#include <gtest/gtest.h>

#include "event/depends.hpp"
#include "event/listing.hpp"
#include "event/random/campaign.hpp"
#include "event/random/shrink.hpp"
#include "event/run_state.hpp"

namespace heddle::event {
namespace {

TEST(Depends, ReadersAndSetsShareTheirOwnKindOnly) {
  auto one = [](DependKind kind) { return std::vector<Depend>{{1, kind}}; };
  EXPECT_FALSE(depends_on(one(DependKind::kIn), one(DependKind::kIn)));
  EXPECT_TRUE(depends_on(one(DependKind::kIn), one(DependKind::kOut)));
  EXPECT_TRUE(depends_on(one(DependKind::kOut), one(DependKind::kOut)));
  EXPECT_FALSE(depends_on(one(DependKind::kInoutset), one(DependKind::kInoutset)));
  EXPECT_TRUE(depends_on(one(DependKind::kInoutset), one(DependKind::kMutexinoutset)));
  EXPECT_TRUE(depends_on(one(DependKind::kAllMemory), {{7, DependKind::kIn}}));
  EXPECT_TRUE(depends_on({{7, DependKind::kIn}}, one(DependKind::kAllMemory)));
  EXPECT_FALSE(depends_on({{7, DependKind::kOut}}, one(DependKind::kOut)));
  EXPECT_FALSE(depends_on(one(DependKind::kAllMemory), {}));
}

TEST(RunState, TaskwaitNeedsTheChildrenAndNotTheGrandchildren) {
  History history = {Spawn{0, 1}, Begin{1}, Spawn{1, 2}};
  History too_early = history;
  too_early.push_back(WaitChildren{0});
  EXPECT_FALSE(is_legal(too_early));
  history.push_back(End{1});
  history.push_back(WaitChildren{0});
  EXPECT_TRUE(is_legal(history));
}

TEST(RunState, GroupNeedsTheGrandchildren) {
  History history = {GroupOpen{0}, Spawn{0, 1}, Begin{1}, Spawn{1, 2}, End{1}};
  History too_early = history;
  too_early.push_back(GroupClose{0});
  EXPECT_FALSE(is_legal(too_early));
  history.insert(history.end(), {Begin{2}, End{2}, GroupClose{0}});
  EXPECT_TRUE(is_legal(history));
}

TEST(RunState, ThreadIsJoinedOrDetachedOnce) {
  const History running = {Spawn{0, 1, SpawnKind::kThread}, Begin{1, 1}};
  auto legal = [&](std::initializer_list<Event> events) {
    History history = running;
    history.insert(history.end(), events);
    return is_legal(history);
  };
  EXPECT_TRUE(legal({DetachThread{0, 1}, End{1}}));
  EXPECT_TRUE(legal({End{1}, DetachThread{0, 1}}));
  EXPECT_TRUE(legal({DetachThread{1, 1}, End{1}}));  // a thread may detach itself
  EXPECT_FALSE(legal({DetachThread{0, 1}, End{1}, JoinThread{0, 1}}));
  EXPECT_FALSE(legal({DetachThread{0, 1}, DetachThread{0, 1}}));
  EXPECT_FALSE(legal({End{1}, JoinThread{0, 1}, DetachThread{0, 1}}));
  EXPECT_FALSE(legal({Spawn{0, 2}, DetachThread{0, 2}}));  // no thread
}

TEST(RunState, LockHasOneWriterOrManyReaders) {
  History start = {Spawn{0, 1, SpawnKind::kThread}, Begin{1}};
  auto legal = [&](bool first, bool second) {
    History history = start;
    history.insert(history.end(), {Acquire{0, 0, first}, Acquire{1, 0, second}});
    return is_legal(history);
  };
  EXPECT_TRUE(legal(false, false));
  EXPECT_FALSE(legal(true, false));
  EXPECT_FALSE(legal(false, true));
  EXPECT_FALSE(legal(true, true));
}

TEST(RunState, BarrierNeedsAllThreadsAndTasks) {
  History history = {Fork{0, 0}, TeamBegin{1, 0}, TeamBegin{2, 0}, Spawn{1, 3}, BarrierArrive{1, 0}};
  auto may_leave = [&] {
    History next = history;
    next.push_back(BarrierLeave{1, 0});
    return is_legal(next);
  };
  EXPECT_FALSE(may_leave());
  history.push_back(BarrierArrive{2, 0});
  EXPECT_FALSE(may_leave());
  history.insert(history.end(), {Begin{3}, End{3}});
  EXPECT_TRUE(may_leave());
}

TEST(RandomPrograms, AreLegalAndMostlyRunToTheirEnd) {
  for (Model model : kModels) {
    u32 finished = 0;
    for (u64 number = 1; number <= 500; ++number) {
      event::Run run = numbered_run(model, number);
      ASSERT_TRUE(is_legal(run.history)) << listing(run.history);
      ASSERT_EQ(run.history.size(), run.origins.size());
      finished += run.finished;
    }
    // Threads that join each other deadlock sometimes; nothing else may.
    EXPECT_GE(finished, model == Model::kOpenmp || model == Model::kAsync ? 500u : 400u) << name(model);
  }
}

TEST(RandomPrograms, SeedDecides) {
  EXPECT_EQ(listing(numbered_run(Model::kMixed, 7).history), listing(numbered_run(Model::kMixed, 7).history));
}

TEST(Shrink, KeepsOnlyWhatTheFaultNeeds) {
  // The "fault": two tasks that write.
  auto fault = [](const History& history) {
    u32 writers = 0, last = 0;
    for (const Event& event : history)
      if (auto* access = std::get_if<Access>(&event); access && access->write && access->task != last) {
        last = access->task;
        ++writers;
      }
    return writers >= 2;
  };
  u32 tried = 0;
  for (u64 number = 1; tried < 10; ++number) {
    History history = numbered_run(Model::kOpenmp, number).history;
    if (!fault(history)) continue;
    ++tried;
    History smallest = shrink(history, fault);
    EXPECT_LE(smallest.size(), 11u) << listing(smallest);
  }
}

TEST(Listing, CodeNamesEveryField) {
  History history = {Spawn{0, 1, SpawnKind::kUndeferred, {{2, DependKind::kOut}}},
                     Access{0, 8, 4, true, false}, Access{0, 8, 4, false, true, 5}, NewMemory{0, 16, 24}};
  EXPECT_EQ(as_code(history),
            "History history = {\n    Spawn{0, 1, SpawnKind::kUndeferred, {{2, DependKind::kOut}}},\n"
            "    Access{0, 0x8, 4, true, false},\n"
            "    Access{0, 0x8, 4, false, true, 5},\n    NewMemory{0, 0x10, 24},\n};\n");
  EXPECT_EQ(describe(history[1]), "task 0 writes 4 bytes at 0x8");
  EXPECT_EQ(describe(history[2]), "task 0 reads 4 bytes at 0x8 atomically from site 5");
  EXPECT_EQ(describe(history[3]), "task 0 gets 24 bytes of new memory at 0x10");
}

}  // namespace
}  // namespace heddle::event
