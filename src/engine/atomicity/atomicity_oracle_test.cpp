// The atomicity engine against all triples, on random histories of every model: for each byte it finds a violation
// iff there is one, and every triple that it names is one.
//
// HEDDLE_ORACLE_PROGRAMS sets the number of histories of each model, HEDDLE_ORACLE_SEED where their numbers start.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/engine.hpp"
#include "engine/oracle/all_triples.hpp"
#include "event/listing.hpp"
#include "event/random/campaign.hpp"

namespace heddle::engine {
namespace {

using event::History;
using event::Model;

// The result of an engine on a history whose accesses have their own numbers as sites.
struct Found {
  explicit Found(const History& history, const AtomicRanges& atomic = {}) {
    std::unique_ptr<Engine> engine = find_engine("atomicity")->make({.atomic = atomic});
    engine->violations.observer = [&](const Side& first, const Side& intruder, const Side& last, u64 address,
                                      u64 bytes) {
      for (u32 i = 0; i < 64; ++i)
        if (bytes >> i & 1) {
          broken.insert(address + i);
          triples[{first.site, intruder.site, last.site}].insert(address + i);
        }
    };
    for (u32 i = 0; i < history.size(); ++i) {
      event::Event event = history[i];
      if (auto* access = std::get_if<event::Access>(&event)) access->site = i;
      engine->add(event);
    }
    engine->finish();
  }

  std::set<u64> broken;
  std::map<EventTriple, std::set<u64>> triples;
};

std::string words_of(const EventTriple& triple) {
  return "events " + std::to_string(triple[0]) + ", " + std::to_string(triple[1]) + ", " +
         std::to_string(triple[2]);
}

std::optional<std::string> disagreement(const AllTriples& truth, const Found& found) {
  for (const auto& [triple, bytes] : found.triples) {
    auto violation = truth.triples.find(triple);
    if (violation == truth.triples.end()) return "a violation that is none: " + words_of(triple);
    if (!std::includes(violation->second.begin(), violation->second.end(), bytes.begin(), bytes.end()))
      return "not all of the named bytes are broken: " + words_of(triple);
  }
  for (const auto& [triple, bytes] : truth.triples)
    if (!std::includes(found.broken.begin(), found.broken.end(), bytes.begin(), bytes.end()))
      return "no violation found where there is one: " + words_of(triple);
  return std::nullopt;
}

class AtomicityOracle : public testing::TestWithParam<Model> {};

TEST_P(AtomicityOracle, FindsTheViolationsOfEachLocation) {
  auto judge = [](const History& history) { return disagreement(AllTriples(history), Found(history)); };
  EXPECT_EQ(event::run_campaign(GetParam(), judge), "");
}

// The first two cells are a group, half of the third is another, a part of the rest is atomic, too. (New memory
// inside a group has no meaning.)
TEST_P(AtomicityOracle, FindsTheViolationsOfWhatIsMeantToBeAtomic) {
  const AtomicRanges atomic = {.locations = {{20, 2}, {24, 8}}, .groups = {{{0, 8}, {8, 8}}, {{16, 4}}}};
  auto judge = [&](History history) {
    std::erase_if(history, [](const event::Event& e) { return std::holds_alternative<event::NewMemory>(e); });
    return disagreement(AllTriples(history, atomic), Found(history, atomic));
  };
  EXPECT_EQ(event::run_campaign(GetParam(), judge), "");
}

// The violations by structure and locks do not depend on the schedule.
TEST_P(AtomicityOracle, SchedulesDoNotChangeTheViolationsOfAProgramWithoutSignals) {
  for (u64 number = 1; number <= event::campaign_programs() / 5; ++number) {
    event::Rng rng = event::numbered_rng(GetParam(), number);
    event::Features features = event::features_of(GetParam(), rng);
    features.signal = features.await = features.thread = features.bind = features.new_memory = 0;
    features.bound_memory = false;
    const event::Shape shape = event::shape_of(rng);
    const event::Program program = event::generate(features, shape, rng);
    std::set<u64> first;
    for (u32 i = 0; i < 2; ++i) {
      const event::Run run = event::schedule(program, rng);
      if (!run.finished) break;  // a deadlock: the rest is missing
      const std::set<u64> broken = Found(run.history).broken;
      if (i == 0) first = broken;
      ASSERT_EQ(broken, first) << "program " << number << "\n" << event::listing(run.history);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, AtomicityOracle, testing::ValuesIn(event::kModels),
                         [](const auto& model) { return std::string(name(model.param)); });

}  // namespace
}  // namespace heddle::engine
