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
