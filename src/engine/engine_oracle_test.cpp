// Every engine against all pairs, on random histories of every model.
//
// Equal means: for each byte, the engine finds a race iff two accesses to it race by the engine's definition
// (unordered in happens-before of the observed lock order; for lockset: unordered by structure, and no common lock),
// and every pair that it names is such a race.
//
// HEDDLE_ORACLE_PROGRAMS sets the number of histories over all models, HEDDLE_ORACLE_SEED where their numbers start.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdio>

#include "engine/engine.hpp"
#include "engine/oracle/oracle.hpp"
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
  bool predicted_too = false;  // its definition: also what only the lock order of this run keeps apart
};

const Case kEqual[] = {
    {"cg", "cg", {}},
    {"dpst", "dpst", {}},
    {"fasttrack", "fasttrack", {}},
    {"lockset", "lockset", {}, true},
    {"tlc with lists of windows", "tlc", {.exact = true}},
    {"zipper", "zipper", {}},
    {"zipper in greedy order", "zipper", {.greedy = true}},
};

class EngineOracle : public testing::TestWithParam<Model> {};

TEST_P(EngineOracle, EnginesFindTheCertainRacesOfEachLocation) {
  auto judge = [&](const History& history) -> std::optional<std::string> {
    Truth certain(history, false), all(history, true);
    for (const Case& c : kEqual) {
      Found found(*find_engine(c.engine), c.options, history);
      if (auto words = disagreement(c.predicted_too ? all : certain, found))
        return std::string(c.name) + ": " + *words;
    }
    return std::nullopt;
  };
  std::string words =
      event::run_campaign(GetParam(), judge, event::campaign_programs() / std::size(event::kModels));
  EXPECT_TRUE(words.empty()) << words;
}

// What runs on one thread of the machine is ordered there: fewer races, and no others.
TEST_P(EngineOracle, OnThreadsOnlyRacesOfTasksAreReported) {
  auto judge = [](const History& history) -> std::optional<std::string> {
    if (auto words = false_alarm(Truth(history, false),
                                 Found(*find_engine("fasttrack"), {.on_threads = true}, history)))
      return "fasttrack: " + *words;
    if (auto words =
            false_alarm(Truth(history, true), Found(*find_engine("lockset"), {.on_threads = true}, history)))
      return "lockset: " + *words;
    return std::nullopt;
  };
  std::string words =
      event::run_campaign(GetParam(), judge, event::campaign_programs() / std::size(event::kModels) / 4);
  EXPECT_TRUE(words.empty()) << words;
}

// One window misses races, and makes none up.
TEST_P(EngineOracle, TlcReportsOnlyRaces) {
  // Counted over all processes of the campaign.
  struct Counts {
    std::atomic<u64> racy_bytes, missed_bytes, racy_histories, missed_histories;
  };
  auto* counts = static_cast<Counts*>(
      mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  auto judge = [&](const History& history) -> std::optional<std::string> {
    Truth truth(history, false);
    Found found(*find_engine("tlc"), {}, history);
    if (auto words = false_alarm(truth, found)) return words;
    counts->racy_bytes += truth.racy.size();
    counts->missed_bytes += truth.racy.size() - found.racy.size();
    counts->racy_histories += !truth.racy.empty();
    counts->missed_histories += !truth.racy.empty() && found.racy.empty();
    return std::nullopt;
  };
  std::string words =
      event::run_campaign(GetParam(), judge, event::campaign_programs() / std::size(event::kModels));
  EXPECT_TRUE(words.empty()) << words;
  std::printf("of %llu racy histories %llu have no race by TLC; of %llu racy bytes it misses %llu\n",
              static_cast<unsigned long long>(counts->racy_histories),
              static_cast<unsigned long long>(counts->missed_histories),
              static_cast<unsigned long long>(counts->racy_bytes),
              static_cast<unsigned long long>(counts->missed_bytes));
}

INSTANTIATE_TEST_SUITE_P(Models, EngineOracle, testing::ValuesIn(event::kModels),
                         [](const auto& model) { return std::string(name(model.param)); });

}  // namespace
}  // namespace heddle::engine
