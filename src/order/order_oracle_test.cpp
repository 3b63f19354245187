// The order engine against the computation graph, on random programs of every model.
#include <gtest/gtest.h>

#include "base/memory.hpp"
#include "event/random/campaign.hpp"
#include "order/graph/compare.hpp"

namespace heddle::order {
namespace {

using event::Model;

class OrderOracle : public testing::TestWithParam<Model> {};

TEST_P(OrderOracle, EngineEqualsTheGraph) {
  Structure* structure = nullptr;
  u32 used = 0;
  auto judge = [&](const event::History& history) {
    // One engine for some programs: chains then start at numbers that need more than one level of a clock.
    if (used++ % 40 == 0) structure = memory::make<Structure>();
    return order_disagreement(*structure, history);
  };
  std::string disagreement = event::run_campaign(GetParam(), judge);
  EXPECT_TRUE(disagreement.empty()) << disagreement;
}

INSTANTIATE_TEST_SUITE_P(Models, OrderOracle, testing::ValuesIn(event::kModels),
                         [](const auto& model) { return std::string(name(model.param)); });

}  // namespace
}  // namespace heddle::order
