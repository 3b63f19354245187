// The race checker against all pairs, on random programs of every model.
#include <gtest/gtest.h>

#include <set>

#include "base/memory.hpp"
#include "checker/oracle/all_pairs.hpp"
#include "checker/oracle/compare.hpp"
#include "event/listing.hpp"
#include "event/random/campaign.hpp"

namespace heddle::race {
namespace {

using event::Model;

class RaceOracle : public testing::TestWithParam<Model> {};

TEST_P(RaceOracle, CheckerEqualsAllPairs) {
  order::Structure* structure = nullptr;
  u32 used = 0;
  auto judge = [&](const event::History& history) {
    if (used++ % 40 == 0) structure = memory::make<order::Structure>();
    for (Repeats repeats : {Repeats::kTold, Repeats::kShareSites, Repeats::kNotTold})
      if (auto disagreement = race_disagreement(*structure, history, repeats)) return disagreement;
    return std::optional<std::string>();
  };
  std::string disagreement = event::run_campaign(GetParam(), judge);
  EXPECT_TRUE(disagreement.empty()) << disagreement;
}

INSTANTIATE_TEST_SUITE_P(Models, RaceOracle, testing::ValuesIn(event::kModels),
                         [](const auto& model) { return std::string(name(model.param)); });

// What structure decides does not depend on the schedule.
class Schedules : public testing::TestWithParam<Model> {};

TEST_P(Schedules, DoNotChangeTheRacesOfAProgramWithoutSignals) {
  using Place = event::Origin;
  for (u64 number = 1; number <= event::campaign_programs() / 20; ++number) {
    event::Rng rng(number);
    event::Features features = event::features_of(GetParam(), rng);
    features.signal = features.await = features.thread = features.bind = features.new_memory = 0;
    features.bound_memory = false;
    event::Shape shape = event::shape_of(rng);
    event::Program program = event::generate(features, shape, rng);
    std::set<std::pair<Place, Place>> first;
    for (u32 i = 0; i < 4; ++i) {
      event::Run run = event::schedule(program, rng);
      ASSERT_TRUE(run.finished);
      std::set<std::pair<Place, Place>> races;
      AllPairs pairs(run.history);
      for (const RacingPair& race : pairs.races()) {
        Place a = run.origins[race.first], b = run.origins[race.second];
        races.insert({std::min(a, b), std::max(a, b)});
      }
      if (i == 0) first = races;
      ASSERT_EQ(races, first) << "program " << number << "\n" << event::listing(run.history);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Schedules, testing::Values(Model::kOpenmp, Model::kAsync, Model::kMixed),
                         [](const auto& model) { return std::string(name(model.param)); });

}  // namespace
}  // namespace heddle::race
