// Velodrome against the whole graph of steps, on random histories of every model.
#include <gtest/gtest.h>

#include "engine/engine.hpp"
#include "engine/oracle/serialisable.hpp"
#include "event/random/campaign.hpp"

namespace heddle::engine {
namespace {

class VelodromeOracle : public testing::TestWithParam<event::Model> {};

TEST_P(VelodromeOracle, ReportsWhatCannotBePutInSerialOrder) {
  auto judge = [](const event::History& history) -> std::optional<std::string> {
    std::unique_ptr<Engine> engine = find_engine("velodrome")->make({});
    for (const event::Event& event : history) engine->add(event);
    engine->finish();
    const bool is_serialisable = serialisable(history);
    if (engine->violations.empty() == is_serialisable) return std::nullopt;
    return is_serialisable ? "a cycle that is none" : "no cycle found where there is one";
  };
  EXPECT_EQ(event::run_campaign(GetParam(), judge, event::campaign_programs() / 5), "");
}

INSTANTIATE_TEST_SUITE_P(Models, VelodromeOracle, testing::ValuesIn(event::kModels),
                         [](const auto& model) { return std::string(name(model.param)); });

}  // namespace
}  // namespace heddle::engine
