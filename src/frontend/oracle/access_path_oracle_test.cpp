// The way of an access, from the hook on, against all pairs: random programs of every model, in every mode. A process
// changes its mode once, so each campaign does that in its child processes.
#include <gtest/gtest.h>

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

void expect_no_disagreement(Model model, const event::Judge& by) {
  const std::string disagreement = event::run_campaign(model, by, event::campaign_programs(), vary);
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

}  // namespace
}  // namespace heddle::oracle
