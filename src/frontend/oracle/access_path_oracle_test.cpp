// The way of an access, from the hook on, against all pairs: random programs of every model, in every mode. A process
// changes its mode once, so each campaign does that in its child processes.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "event/random/campaign.hpp"
#include "frontend/oracle/driver.hpp"
#include "frontend/oracle/judge.hpp"
#include "frontend/oracle/variation.hpp"

namespace heddle::oracle {
namespace {

using event::History;
using event::Model;

std::optional<std::string> judge(const History& history) {
  const History settled = settle(history);
  return race_disagreement(settled, drive(settled));
}

void expect_no_disagreement(Model model, const event::Judge& by, const event::Change& change = vary) {
  const std::string disagreement = event::run_campaign(model, by, event::campaign_programs(), change);
  EXPECT_TRUE(disagreement.empty()) << disagreement;
}

class AccessPathOracle : public testing::TestWithParam<Model> {};

TEST_P(AccessPathOracle, RacesEqualAllPairs) { expect_no_disagreement(GetParam(), judge); }

TEST_P(AccessPathOracle, SteeredAccessesStopAndRaceAsOthers) {
  auto steered = [](const History& history) {
    static const bool once = (steer(), true);
    (void)once;
    const History settled = settle(history);
    const Observed observed = drive(settled);
    const auto fault = stop_disagreement(settled, observed);
    return fault ? fault : race_disagreement(settled, observed);
  };
  expect_no_disagreement(GetParam(), steered);
}

TEST_P(AccessPathOracle, RecordsWhatIsDone) {
  auto recorded = [](const History& history) {
    static const bool once = (record(), true);
    (void)once;
    const History settled = settle(history);
    return recording_disagreement(settled, drive(settled));
  };
  expect_no_disagreement(GetParam(), recorded);
}

std::optional<std::string> judge_annotated(const History& history, bool races_too) {
  static const bool once = (annotate(races_too), true);
  (void)once;
  const History settled = settle(history);
  const Observed observed = drive(settled);
  auto fault = atomicity_disagreement(settled, observed);
  if (!fault && races_too) fault = race_disagreement(settled, observed);
  return fault;
}

TEST_P(AccessPathOracle, ViolationsOfAnnotatedDataEqualAllTriples) {
  auto annotated = [](const History& history) { return judge_annotated(history, true); };
  expect_no_disagreement(GetParam(), annotated, vary_a_little);
}

TEST_P(AccessPathOracle, ViolationsAloneEqualAllTriples) {
  auto annotated = [](const History& history) { return judge_annotated(history, false); };
  expect_no_disagreement(GetParam(), annotated, vary_a_little);
}

INSTANTIATE_TEST_SUITE_P(Models, AccessPathOracle, testing::ValuesIn(event::kModels),
                         [](const auto& model) { return std::string(name(model.param)); });

using namespace event;

// What was found, and must not come again.

TEST(AccessPath, ForgetsTheMarksOfWholeGranulesThatAreNewMemory) {
  EXPECT_EQ(judge({
                Spawn{0, 1},
                Begin{1, 3},
                Access{0, 0x104, 8, false, false},
                NewMemory{0, 0xfc, 8},  // its last granule has bytes that are not in the range
                Access{0, 0x104, 8, false, false},
                Access{1, 0x100, 8, true, false},
            }),
            std::nullopt);
}

TEST(AccessPath, ForgetsTheMarksThatATaskLeftInTheFilterBeforeAnotherRanOnItsThread) {
  EXPECT_EQ(judge({
                Spawn{0, 1},
                Spawn{0, 2},
                Begin{1, 3},
                Access{1, 0x10f, 1, true, false},
                Begin{2, 3},
                Access{2, 0x20f, 1, true, false},
                NewMemory{1, 0x108, 8},
                Access{1, 0x10f, 1, true, false},
                Access{2, 0x108, 8, false, false},
            }),
            std::nullopt);
}

// A group that its task leaves open joins nothing, so the process is not quiescent while tasks in it may run.
TEST(AccessPath, IsNotQuiescentWhileATaskOfAGroupThatWasLeftOpenMayRun) {
  EXPECT_EQ(judge({
                Spawn{0, 2},
                Begin{2, 4},
                GroupOpen{2},
                Spawn{2, 3, SpawnKind::kUndeferred},
                Begin{3, 5},
                Spawn{3, 4},
                End{3},
                End{2},
                Begin{4, 6},
                Spawn{4, 5},
                WaitChildren{0},
                Access{0, 0x420c0, 8, true, false},
                Begin{5, 7},
                Access{5, 0x420c0, 8, false, false, 5},
            }),
            std::nullopt);
}

// Chunks of thread 0 that share their marks of reads, or must not (races/shared_marks.hpp). Task 3 is a chunk of thread
// 1, or of thread 0 if it is `here`; then come chunk 4 and chunk 5, both of thread 0.
History in_chunks(std::vector<event::Event> third, std::vector<event::Event> fourth,
                  std::vector<event::Event> fifth, bool here = false) {
  History history = {Fork{0, 0}, TeamBegin{1, 0, 0}, TeamBegin{2, 0, 1}};
  u32 task = 3;
  for (std::vector<event::Event>* does : {&third, &fourth, &fifth}) {
    history.push_back(WorkBegin{task, 0, task == 3 && !here ? 1u : 0u});
    for (event::Event& event : *does) history.push_back(std::move(event));
    history.push_back(End{task++});
  }
  return history;
}

TEST(AccessPath, SharesMarksOfReadsAmongChunks) {
  const History history =
      settle(in_chunks({Access{3, 0x1000, 8, false, false}}, {Access{4, 0x1000, 8, false, false}},
                       {Access{5, 0x1000, 8, false, false}}, true));
  const Observed observed = drive(history);
  u64 sharers = 0;
  for (u32 i = 0; i < history.size(); ++i) {
    if (!std::holds_alternative<Access>(history[i])) continue;
    EXPECT_NE(observed.touches[i].sharers, 0u);
    EXPECT_TRUE(!sharers || observed.touches[i].sharers == sharers);
    sharers = observed.touches[i].sharers;
  }
  EXPECT_EQ(race_disagreement(history, observed), std::nullopt);
}

TEST(AccessPath, SharesNoMarksOfAChunkThatAcquiredSomething) {
  EXPECT_EQ(judge(in_chunks({Access{3, 0x1000, 8, true, false}, Signal{3, 1}},
                            {Await{4, 1}, Access{4, 0x1000, 8, false, false}},
                            {Access{5, 0x1000, 8, false, false}})),
            std::nullopt);
}

TEST(AccessPath, SharesNoMarksOfAChunkThatTookALock) {
  EXPECT_EQ(judge(in_chunks({Acquire{3, 0}, Access{3, 0x1000, 8, true, false}, Release{3, 0}},
                            {Acquire{4, 0}, Access{4, 0x1000, 8, false, false}, Release{4, 0}},
                            {Access{5, 0x1000, 8, false, false}})),
            std::nullopt);
}

TEST(AccessPath, SharesNoMarksOfAChunkThatReleasedSomething) {
  EXPECT_EQ(judge(in_chunks({Access{3, 0x1000, 8, false, false}, Signal{3, 1}},
                            {Access{4, 0x1000, 8, false, false}},
                            {Await{5, 1}, Access{5, 0x1000, 8, true, false}}, true)),
            std::nullopt);
}

TEST(AccessPath, TakesNothingThatAChunkWroteForReadByTheNext) {
  EXPECT_EQ(judge(in_chunks({Access{3, 0x1008, 8, false, false}}, {Access{4, 0x1000, 8, true, false}},
                            {Access{5, 0x1008, 8, false, false}, Access{5, 0x1000, 8, false, false}}, true)),
            std::nullopt);
  EXPECT_EQ(
      judge(in_chunks({Access{3, 0x1100, 8, true, false}}, {Access{4, 0x1100, 8, false, false}}, {}, true)),
      std::nullopt);
}

// By atomic operations, by bytes, and by a set whose place another block took.
TEST(AccessPath, SharesNoMarksWhereAChunkWroteInAWayThatItsSetDoesNotKnow) {
  EXPECT_EQ(judge(in_chunks({}, {Access{4, 0x30, 16, true, true}, Access{4, 0x30, 32, false, false}},
                            {Access{5, 0x38, 8, false, false}})),
            std::nullopt);
  EXPECT_EQ(judge(in_chunks({}, {Access{4, 0x30, 8, false, false}, Access{4, 0x33, 2, true, false}},
                            {Access{5, 0x30, 8, false, false}})),
            std::nullopt);
  constexpr u64 kSamePlace = 0x41100, kBlock = 0x841100;
  EXPECT_EQ(judge(in_chunks({},
                            {Access{4, kBlock, 8, true, false}, Access{4, kSamePlace, 8, false, false},
                             Access{4, kBlock, 8, false, false}},
                            {Access{5, kBlock, 8, false, false}})),
            std::nullopt);
}

// What a judge of another mode says, in a process of its own.
std::optional<std::string> in_child(const std::function<std::optional<std::string>()>& judged) {
  std::string words(1000, 0);
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  if (const pid_t child = fork(); child == 0) {
    const std::string fault = judged().value_or("");
    const bool told = write(ends[1], fault.data(), fault.size()) == static_cast<ssize_t>(fault.size());
    _exit(told ? 0 : 1);
  }
  close(ends[1]);
  words.resize(static_cast<usize>(std::max<ssize_t>(read(ends[0], words.data(), words.size()), 0)));
  close(ends[0]);
  int status = 0;
  wait(&status);
  if (status != 0) return "it crashed";
  return words.empty() ? std::nullopt : std::optional(words);
}

TEST(AccessPath, EndsAStepAtABarrier) {
  EXPECT_EQ(in_child([] {
              return judge_annotated(
                  {
                      Fork{0, 0},
                      TeamBegin{1, 0, 3},
                      Access{1, 0x1000, 8, true, false},
                      BarrierArrive{1, 0},
                      BarrierLeave{1, 0},
                      Access{1, 0x1000, 8, false, false},
                      WorkBegin{2, 0, 4},
                      Access{2, 0x1000, 8, true, false},
                  },
                  true);
            }),
            std::nullopt);
}

TEST(AccessPath, ForgetsPairsOfWholeGranulesThatAreNewMemory) {
  EXPECT_EQ(in_child([] {
              return judge_annotated(
                  {
                      Spawn{0, 1, SpawnKind::kThread},
                      Begin{1, 1},
                      Access{1, 0x1100, 8, false, false},
                      Access{1, 0x1103, 8, true, false},
                      Spawn{0, 2, SpawnKind::kThread},
                      Begin{2, 1},
                      NewMemory{2, 0x10fb, 8},
                      Access{2, 0x1100, 8, true, false},
                  },
                  true);
            }),
            std::nullopt);
}

// The set was told to expect repetitions, none came, and the next task on the thread found it so.
TEST(AccessPath, LosesNoTouchAfterOneThatWasMarkedAndNotAligned) {
  EXPECT_EQ(in_child([] {
              return judge_annotated(
                  {
                      Spawn{0, 1},
                      Spawn{0, 2},
                      Spawn{0, 3},
                      Begin{1, 2},
                      Access{1, 0x1004, 8, true, false},
                      Access{1, 0x1004, 8, true, false},
                      GroupOpen{1},
                      Access{1, 0x1004, 8, false, false},
                      GroupClose{1},
                      Begin{2, 2},
                      Begin{3, 3},
                      Access{2, 0x1040, 32, false, false},
                      Access{3, 0x1040, 16, true, true},
                      Access{3, 0x1048, 8, true, false},
                  },
                  false);
            }),
            std::nullopt);
}

}  // namespace
}  // namespace heddle::oracle
