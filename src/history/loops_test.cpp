#include "history/loops.hpp"

#include <gtest/gtest.h>

#include "checker/oracle/all_pairs.hpp"
#include "event/listing.hpp"
#include "event/run_state.hpp"

namespace heddle::history {
namespace {

using event::Model;

class Loops : public testing::TestWithParam<Model> {};

TEST_P(Loops, AreLegalAndHaveTheRacesAskedFor) {
  for (u32 races : {0, 1, 3})
    for (u64 seed : {1, 2}) {
      LoopSource source({.model = GetParam(),
                         .events = 1500,
                         .workers = 3,
                         .words = 40,
                         .iterations = 7,
                         .races = races,
                         .seed = seed});
      event::History history = read_all(source);
      ASSERT_TRUE(is_legal(history)) << listing(history);
      EXPECT_GE(history.size(), 1500u);
      EXPECT_LE(history.size(), 1700u);
      race::AllPairs pairs(history);
      EXPECT_EQ(pairs.races().size(), races);
      for (const race::RacingPair& race : pairs.races()) EXPECT_TRUE(race.certain);
    }
}

TEST_P(Loops, SeedDecides) {
  auto code = [](u64 seed) {
    LoopSource source({.model = GetParam(), .events = 500, .words = 40, .iterations = 7, .seed = seed});
    return as_code(read_all(source));
  };
  EXPECT_EQ(code(5), code(5));
  EXPECT_NE(code(5), code(6));
}

INSTANTIATE_TEST_SUITE_P(Models, Loops,
                         testing::Values(Model::kAsync, Model::kOpenmp, Model::kThreads, Model::kLocks),
                         [](const auto& model) { return std::string(event::name(model.param)); });

}  // namespace
}  // namespace heddle::history
