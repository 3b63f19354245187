// Every engine against all pairs, on random histories of every model.
//
// Equal means: for each byte, the engine finds a race iff two accesses to it race certainly (in happens-before of the observed lock
// order), and every pair that it names is such a race.
//
// HEDDLE_ORACLE_PROGRAMS sets the number of histories over all models, HEDDLE_ORACLE_SEED where their numbers start.
#include <gtest/gtest.h>

#include <set>

#include "engine/engine.hpp"
#include "engine/oracle.hpp"
#include "event/listing.hpp"
#include "event/random/campaign.hpp"

namespace heddle::engine {
namespace {

using event::History;
using event::Model;

struct Case {
  const char* name;
  const char* engine;
  Options options;
};

const Case kEqual[] = {
    {"dpst", "dpst", {}},
    {"fasttrack", "fasttrack", {}},
    {"zipper", "zipper", {}},
};

class EngineOracle : public testing::TestWithParam<Model> {};

TEST_P(EngineOracle, EnginesFindTheCertainRacesOfEachLocation) {
  auto judge = [&](const History& history) -> std::optional<std::string> {
    Truth truth(history);
    for (const Case& c : kEqual) {
      Found found(*find_engine(c.engine), c.options, history);
      if (auto words = disagreement(truth, found)) return std::string(c.name) + ": " + *words;
    }
    return std::nullopt;
  };
  std::string words =
      event::run_campaign(GetParam(), judge, event::campaign_programs() / std::size(event::kModels));
  EXPECT_TRUE(words.empty()) << words;
}

INSTANTIATE_TEST_SUITE_P(Models, EngineOracle, testing::ValuesIn(event::kModels),
                         [](const auto& model) { return std::string(name(model.param)); });

}  // namespace
}  // namespace heddle::engine
