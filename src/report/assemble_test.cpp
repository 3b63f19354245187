// De-duplication, suppression and counting; addresses stay unresolved, so a source pair is a pair of module
// offsets.
#include "report/assemble.hpp"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

RawRace race(std::uint64_t id, Address first_pc, Address second_pc, Evidence evidence = Evidence::Certain) {
  RawRace result;
  result.id = id;
  result.evidence = evidence;
  result.first.op = result.second.op = "write";
  result.first.stack = {first_pc};
  result.second.stack = {second_pc};
  result.modules_seen = 1;
  return result;
}

RawLog log_of(std::vector<RawRace> races) {
  RawLog log;
  Process process;
  process.pid = 1;
  process.exe = "/no/such/app";
  process.modules = {{"/no/such/app", 0, 0x1000, 0x2000}};
  process.races = std::move(races);
  log.processes.push_back(process);
  return log;
}

Report assembled(const RawLog& log, const std::string& rules = "", const AssembleOptions& options = {}) {
  auto suppressions = Suppressions::parse(rules, "known.txt");
  return assemble(log, *suppressions, options);
}

TEST(Assemble, SaysWhatAllProcessesLookedFor) {
  RawLog log = log_of({});
  log.processes[0].checks = {"race", "deadlock"};
  EXPECT_EQ(assembled(log).checks, (std::vector<std::string>{"race", "deadlock"}));
  log.processes.push_back(log.processes[0]);
  log.processes[1].checks = {"race", "atomicity"};
  EXPECT_EQ(assembled(log).checks, std::vector<std::string>{"race"});
}

TEST(Assemble, OneFindingPerUnorderedSourcePair) {
  RawLog log = log_of({race(1, 0x1010, 0x1020), race(2, 0x1020, 0x1010), race(3, 0x1010, 0x1030)});
  log.processes[0].hits = {{1, 5}, {2, 7}};
  const Report report = assembled(log);
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].pairs, 2u);
  EXPECT_EQ(report.findings[0].hits, 12u);
  EXPECT_EQ(report.findings[1].pairs, 1u);
  EXPECT_EQ(report.findings[1].hits, 1u);
}

TEST(Assemble, CertainEvidenceStandsForAPairThatWasAlsoPredicted) {
  const Report report = assembled(
      log_of({race(1, 0x1010, 0x1020, Evidence::Predicted), race(2, 0x1010, 0x1020, Evidence::Certain)}));
  EXPECT_EQ(report.certain, 1u);
  EXPECT_EQ(report.predicted, 0u);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].evidence, Evidence::Certain);
  EXPECT_EQ(report.findings[0].pairs, 2u);
}

TEST(Assemble, PredictedRacesAreCountedAndListedOnDemandAfterTheCertainOnes) {
  const RawLog log = log_of({race(1, 0x1010, 0x1020, Evidence::Predicted), race(2, 0x1030, 0x1040)});
  EXPECT_EQ(assembled(log).findings.size(), 1u);
  EXPECT_EQ(assembled(log).predicted, 1u);
  const Report all = assembled(log, "", {true, 0});
  ASSERT_EQ(all.findings.size(), 2u);
  EXPECT_EQ(all.findings[0].evidence, Evidence::Certain);
  EXPECT_EQ(all.findings[1].number, 2u);
}

TEST(Assemble, MergesTheSameBugOfTwoProcesses) {
  RawLog log = log_of({race(1, 0x1010, 0x1020)});
  log.processes.push_back(log.processes[0]);
  EXPECT_EQ(assembled(log).findings.size(), 1u);
  EXPECT_EQ(assembled(log).findings[0].pairs, 2u);
}

TEST(Assemble, SuppressesAndCounts) {
  const Report report =
      assembled(log_of({race(1, 0x1010, 0x1020), race(2, 0x1010, 0x1020)}), "race:app\nrace:other\n");
  EXPECT_EQ(report.certain, 0u);
  EXPECT_EQ(report.suppressed, 1u);
  ASSERT_EQ(report.unused_suppressions.size(), 1u);
  EXPECT_EQ(report.unused_suppressions[0].where, "known.txt:2");
}

TEST(Assemble, ListsAtMostWhatWasAskedFor) {
  const Report report = assembled(log_of({race(1, 0x1010, 0x1020), race(2, 0x1030, 0x1040)}), "", {false, 1});
  EXPECT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.certain, 2u);
}

TEST(Assemble, TellsHowToRepeatTheRun) {
  RawLog log = log_of({});
  log.run = RunLine{{"./app", "a b", "it's"}, {"--races=1"}, {"OMP_NUM_THREADS=2"}, "/tmp"};
  EXPECT_EQ(assembled(log).reproduce, "OMP_NUM_THREADS=2 heddle run --races=1 ./app 'a b' 'it'\\''s'");
}

}  // namespace
}  // namespace heddle::report
