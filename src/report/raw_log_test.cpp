#include "report/raw_log.hpp"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

RawLog read(const std::string& text) { return read_raw_log(text); }

const std::string kStart = R"({"type":"start","version":1,"pid":7,"exe":"/bin/app"})"
                           "\n";
const std::string kRace =
    R"({"type":"race","id":1,"evidence":"certain","unless":"by number","address":"0x1000","size":4,)"
    R"("first":{"op":"write","atomic":false,"address":"0x1000","size":4,"stack":["0x10","0x20"],"task":2,"thread":1,)"
    R"("locks":[{"id":3,"kind":"mutex","address":"0x99","mode":"read"}]},)"
    R"("second":{"op":"read","atomic":true,"address":"0x1000","size":8,"stack":[],"task":3,"thread":2,"locks":[]},)"
    R"("location":{"kind":"heap","base":"0xff0","size":64,"offset":16,"stack":["0x30"],"task":1,"freed":true}})"
    "\n";

TEST(RawLog, ReadsARaceWithEveryField) {
  const RawLog log = read(kStart + kRace +
                          R"({"type":"hits","id":1,"count":12})"
                          "\n");
  ASSERT_TRUE(log.complaints.empty()) << log.complaints.front();
  ASSERT_EQ(log.processes.size(), 1u);
  const Process& process = log.processes[0];
  EXPECT_EQ(process.pid, 7u);
  EXPECT_EQ(process.exe, "/bin/app");
  ASSERT_EQ(process.races.size(), 1u);
  const RawRace& race = process.races[0];
  EXPECT_EQ(race.evidence, Evidence::Certain);
  EXPECT_EQ(race.unless, "by number");
  EXPECT_EQ(race.address, 0x1000u);
  EXPECT_EQ(race.first.stack, (std::vector<Address>{0x10, 0x20}));
  EXPECT_EQ(race.first.locks.at(0).kind, "mutex");
  EXPECT_EQ(race.first.locks.at(0).mode, "read");
  EXPECT_TRUE(race.second.atomic);
  EXPECT_EQ(race.second.size, 8u);
  EXPECT_EQ(race.location.kind, LocationKind::Heap);
  EXPECT_EQ(race.location.offset, 16u);
  EXPECT_TRUE(race.location.freed);
  EXPECT_EQ(process.hits.at(1), 12u);
}

TEST(RawLog, ReadsAStall) {
  const RawLog log = read(
      R"({"type":"start","pid":3})"
      "\n"
      R"({"type":"stall","pid":3,"kind":"deadlock","actors":[{"name":"0.1","kind":"thread","waits":"acquires a lock",)"
      R"("thread":2,"task":5,"lock":{"kind":"mutex","address":"0x10","mode":"write"},"holder":"0","holds":[],)"
      R"("stack":["0x20"]}]})"
      "\n");
  ASSERT_TRUE(log.complaints.empty());
  ASSERT_TRUE(log.processes.at(0).stall);
  const RawWaiter& waiter = log.processes[0].stall->waiters.at(0);
  EXPECT_EQ(waiter.name, "0.1");
  EXPECT_EQ(waiter.lock->address, 0x10u);
  EXPECT_EQ(waiter.holder, "0");
  EXPECT_EQ(waiter.task, 5u);
  EXPECT_EQ(waiter.stack, std::vector<Address>{0x20});
}

TEST(RawLog, IgnoresALastLineThatWasCutShort) {
  const RawLog log = read(kStart + kRace + R"({"type":"race","id":2,"evid)");
  EXPECT_TRUE(log.complaints.empty());
  EXPECT_TRUE(log.is_cut_off);
  EXPECT_EQ(log.processes.at(0).races.size(), 1u);
}

TEST(RawLog, SaysWhatIsMissingInOneThatWasKept) {
  const std::string whole = to_json_line(RunLine{{"./app"}, {}, {}, "/"}) + kStart + kRace;
  const std::string end = to_json_line(ExitLine{0, 0});
  EXPECT_EQ(what_is_missing(read(whole + end)), "");
  // Wherever it is cut off, with at least a part of the last line missing.
  for (std::size_t size = 0; size < whole.size() + end.size(); ++size)
    EXPECT_NE(what_is_missing(read((whole + end).substr(0, size))), "") << size;
  EXPECT_NE(what_is_missing(read(whole + "{}\n" + end)).find("line"), std::string::npos);
  EXPECT_NE(what_is_missing(read("int main() {}\n")), "");
}

TEST(RawLog, NamesMalformedLinesAndGoesOn) {
  const RawLog log = read(kStart + "not json\n" +
                          R"({"type":"race","id":2,"evidence":"maybe"})"
                          "\n" +
                          kRace);
  ASSERT_EQ(log.complaints.size(), 2u);
  EXPECT_NE(log.complaints[0].find("line 2"), std::string::npos) << log.complaints[0];
  EXPECT_NE(log.complaints[1].find("maybe"), std::string::npos) << log.complaints[1];
  EXPECT_EQ(log.processes.at(0).races.size(), 1u);
}

TEST(RawLog, SkipsLinesOfUnknownTypes) {
  EXPECT_TRUE(read(kStart + R"({"type":"news"})"
                            "\n")
                  .complaints.empty());
}

TEST(RawLog, ComplainsAboutLinesBeforeAnyStart) { EXPECT_EQ(read(kRace).complaints.size(), 1u); }

TEST(RawLog, OpensASectionForEachProcess) {
  const std::string task =
      R"({"type":"task","id":1,"kind":"initial thread","parent":0,"thread":0,"created":[]})"
      "\n";
  const RawLog log = read(kStart + task +
                          R"({"type":"end","reason":"exec"})"
                          "\n" +
                          R"({"type":"start","version":1,"pid":8,"exe":"/bin/other"})"
                          "\n" +
                          kRace);
  ASSERT_EQ(log.processes.size(), 2u);
  EXPECT_EQ(log.processes[0].end_reason, "exec");
  EXPECT_EQ(log.processes[0].tasks.size(), 1u);
  EXPECT_TRUE(log.processes[1].tasks.empty());
  EXPECT_EQ(log.processes[1].races.size(), 1u);
}

TEST(RawLog, ReadsWhatWasNotAnalysed) {
  const RawLog log = read(
      "{\"type\":\"start\",\"pid\":1,\"version\":1,\"exe\":\"/app\",\"options\":false,"
      "\"checks\":[\"race\",\"deadlock\"]}\n"
      "{\"type\":\"fork\",\"pid\":2}\n{\"type\":\"fork\",\"pid\":3}\n{\"type\":\"exec\",\"pid\":3}\n"
      "{\"type\":\"not analysed\",\"pid\":1,\"text\":\"this\"}\n");
  EXPECT_TRUE(log.complaints.empty());
  ASSERT_EQ(log.processes.size(), 1u);
  EXPECT_FALSE(log.processes[0].has_options);
  EXPECT_EQ(log.processes[0].checks, (std::vector<std::string>{"race", "deadlock"}));
  EXPECT_EQ(log.processes[0].not_analysed, std::vector<std::string>{"this"});
  EXPECT_EQ(log.forked, (std::map<std::uint64_t, bool>{{2, false}, {3, true}}));
}

TEST(RawLog, ReadsDeadlocks) {
  auto edge = [](const std::string& wants, const std::string& holds) {
    auto lock = [](const std::string& id) {
      return R"({"id":)" + id +
             R"(,"kind":"mutex","address":"0x10","mode":"write","location":{"kind":"global"},"stack":["0x1"]})";
    };
    return R"({"task":2,"thread":3,"wants":)" + lock(wants) + R"(,"holds":[)" + lock(holds) + "]}";
  };
  const std::string head = R"({"type":"deadlock","id":4,"evidence":"predicted","edges":[)";
  const RawLog log =
      read(kStart + head + edge("1", "2") + "," + edge("2", "1") + "]}\n" + head + edge("1", "2") + "]}\n");
  ASSERT_EQ(log.processes[0].deadlocks.size(), 1u);
  const RawDeadlock& deadlock = log.processes[0].deadlocks[0];
  ASSERT_EQ(deadlock.edges.size(), 2u);
  EXPECT_EQ(deadlock.edges[1].wants.lock.id, 2u);
  EXPECT_EQ(deadlock.edges[1].holds.at(0).lock.id, 1u);
  EXPECT_EQ(deadlock.edges[0].wants.location.kind, LocationKind::Global);
  EXPECT_EQ(log.complaints.size(), 1u) << "one edge is no cycle";
}

TEST(RawLog, ReadsBackWhatTheToolWrites) {
  RunLine run{{"./app", "a b"}, {"--races=0"}, {"OMP_NUM_THREADS=2"}, "/tmp"};
  const RawLog log = read(to_json_line(run) + to_json_line(ExitLine{139, 11}));
  EXPECT_EQ(log.run->command, run.command);
  EXPECT_EQ(log.run->options, run.options);
  EXPECT_EQ(log.run->environment, run.environment);
  EXPECT_EQ(log.run->directory, "/tmp");
  EXPECT_EQ(log.exit->code, 139);
  EXPECT_EQ(log.exit->signal, 11);
}

TEST(RawLog, FindsTheModuleAsItWasThen) {
  Process process;
  process.modules = {{"/lib/old.so", 0, 0x1000, 0x2000}, {"/lib/new.so", 0, 0x1000, 0x2000}};
  EXPECT_EQ(module_at(process, 0x1800, 1)->path, "/lib/old.so");
  EXPECT_EQ(module_at(process, 0x1800, 2)->path, "/lib/new.so");
  EXPECT_EQ(module_at(process, 0x2000, 2), nullptr);
}

TEST(RawLog, KeepsProcessesThatRunAtTheSameTimeApart) {
  const std::string text(R"({"type":"start","pid":10,"exe":"a"})"
                         "\n"
                         R"({"type":"start","pid":20,"exe":"b"})"
                         "\n"
                         R"({"type":"warning","pid":10,"text":"first"})"
                         "\n"
                         R"({"type":"warning","pid":20,"text":"second"})"
                         "\n"
                         R"({"type":"warning","text":"of the last"})"
                         "\n");
  const RawLog log = read_raw_log(text);
  ASSERT_EQ(log.processes.size(), 2u);
  EXPECT_EQ(log.processes[0].warnings, (std::vector<std::string>{"first"}));
  EXPECT_EQ(log.processes[1].warnings, (std::vector<std::string>{"second", "of the last"}));
}

}  // namespace
}  // namespace heddle::report
