// A report that has one of everything, for the reporters' approval tests.
#pragma once

#include "report/cycle.hpp"
#include "report/finding.hpp"
#include "report/interleaving.hpp"

namespace heddle::report {

inline Frame sample_frame(const char* function, const char* file, int line, int column) {
  Frame frame;
  frame.function = function;
  frame.full_name = std::string(function) + "()";
  frame.linkage_name = function;
  if (*file) {
    frame.file = file;
    frame.path = std::string("/home/user/") + file;
  }
  frame.line = line;
  frame.column = column;
  frame.module = "app";
  frame.offset = 0x1000 + line;
  return frame;
}

inline Stack sample_stack(std::vector<Frame> frames) {
  Stack stack;
  stack.shown = frames.size();
  stack.frames = std::move(frames);
  return stack;
}

inline Finding sample_certain() {
  Finding finding;
  Race race;
  finding.number = 1;
  finding.headline =
      "write of 8 bytes to `grid[3].count` at app.cpp:12 and atomic read of 8 bytes at app.cpp:30 are "
      "unordered";
  finding.pid = 77;
  race.address = 0x5580;
  race.size = 8;

  Frame inlined = sample_frame("bump", "app.cpp", 12, 11);
  inlined.inlined = true;
  Frame runtime = sample_frame("__kmp_invoke_task", "", 0, 0);
  runtime.module = "libomp.so.5";
  runtime.runtime = true;
  race.first.op = "write";
  race.first.size = 8;
  race.first.address = 0x5580;
  race.first.stack = sample_stack({inlined, sample_frame("task body in main", "app.cpp", 21, 9), runtime});
  race.first.stack.shown = 2;
  race.first.quote = SourceQuote{12, 11, "  cell.count++;"};
  race.first.task = 5;
  race.first.thread = 2;
  race.first.locks = {{1, "mutex", "write", 0x6000, "m"}, {2, "rwlock", "read", 0x6100, ""}};

  race.second.op = "read";
  race.second.atomic = true;
  race.second.size = 8;
  race.second.address = 0x5580;
  race.second.stack = sample_stack({sample_frame("parallel region in main", "app.cpp", 30, 0)});
  race.second.quote = SourceQuote{30, 0, "  use(grid[3].count);"};
  race.second.task = 2;

  race.variable.kind = LocationKind::Global;
  race.variable.name = "grid[3].count";
  race.variable.type = "long";
  race.variable.declared = "app.cpp:5";
  race.variable.description = "`grid[3].count` (long), a global variable, declared at app.cpp:5";
  race.variable.address = 0x5580;

  race.also = {"`total` (int), a global variable, declared at app.cpp:6"};

  Task task{5,
            "explicit task",
            2,
            2,
            sample_stack({sample_frame("parallel region in main", "app.cpp", 20, 7)}),
            SourceQuote{20, 7, "      #pragma omp task"}};
  Task common{2, "implicit task", 1, 1, sample_stack({sample_frame("main", "app.cpp", 18, 3)}), std::nullopt};
  finding.tasks = {task, common};
  race.common_task = 2;
  race.ordering = "task 2 continues after creating task 5; a taskwait before app.cpp:30 would order them";
  finding.hint = "the second access is atomic and the other is not; both must be";
  finding.pairs = 2;
  finding.hits = 40;
  finding.kind = race;
  return finding;
}

inline Finding sample_predicted() {
  Finding finding;
  Race race;
  finding.number = 2;
  finding.evidence = Evidence::Predicted;
  finding.headline = "free at pool.cpp:8 and write of 1 byte in ?? are unordered";
  finding.pid = 77;
  race.address = 0x7f10;
  race.size = 1;
  race.first.op = "free";
  race.first.size = 64;
  race.first.address = 0x7f00;
  race.first.stack = sample_stack({sample_frame("release", "pool.cpp", 8, 3)});
  race.first.task = 3;
  race.first.thread = 1;
  race.second.op = "write";
  race.second.size = 1;
  race.second.address = 0x7f10;
  Frame unknown;
  unknown.module = "libfoo.so";
  unknown.offset = 0xabc;
  race.second.stack = sample_stack({unknown});
  race.second.task = 4;
  race.second.thread = 2;
  race.variable.kind = LocationKind::Heap;
  race.variable.description =
      "1 byte at offset 16 of a heap block of 64 bytes, allocated by task 1, freed since";
  race.variable.block_size = 64;
  race.variable.offset = 16;
  race.variable.task = 1;
  race.variable.freed = true;
  race.variable.allocated = sample_stack({sample_frame("acquire", "pool.cpp", 4, 10)});
  finding.tasks = {{3, "thread", 1, 1, sample_stack({sample_frame("main", "pool.cpp", 20, 5)}), std::nullopt},
                   {4, "thread", 1, 2, sample_stack({sample_frame("main", "pool.cpp", 21, 5)}), std::nullopt},
                   {1, "initial thread", 0, 0, {}, std::nullopt}};
  race.common_task = 1;
  race.ordering = "no join, lock hand-over or release/acquire pair of atomics orders the two threads";
  finding.kind = race;
  return finding;
}

inline Finding sample_violation() {
  Finding finding;
  Violation violation;
  finding.number = 3;
  finding.pid = 77;
  violation.address = 0x5590;
  violation.size = 8;
  const Lock m{1, "mutex", "write", 0x6000, "m"};
  auto access = [&](const char* op, const char* function, int line, TaskId task) {
    Access made;
    made.op = op;
    made.size = 8;
    made.address = 0x5590;
    made.stack = sample_stack({sample_frame(function, "bank.cpp", line, 5)});
    made.task = made.thread = task;
    made.locks = {m};
    return made;
  };
  violation.first = access("read", "withdraw", 8, 5);
  violation.second = access("write", "deposit", 20, 6);
  violation.variable.kind = LocationKind::Global;
  violation.variable.name = "balance";
  violation.variable.description = "`balance` (long), a global variable, declared at bank.cpp:2";
  finding.tasks = {{5, "thread", 1, 5, sample_stack({sample_frame("main", "bank.cpp", 30, 5)}), std::nullopt},
                   {6, "thread", 1, 6, sample_stack({sample_frame("main", "bank.cpp", 31, 5)}), std::nullopt},
                   {1, "initial thread", 0, 0, {}, std::nullopt}};
  violation.common_task = 1;
  violation.ordering = "no join, lock hand-over or release/acquire pair of atomics orders the two threads";
  violation.last = access("write", "withdraw", 11, 5);
  violation.pattern = "R-W-W";
  violation.interleaving = interleaving(violation);
  finding.headline = violation_headline(violation);
  finding.hint = violation_hint(violation);
  finding.kind = violation;
  return finding;
}

inline Finding sample_potential_deadlock() {
  Finding finding;
  finding.number = 4;
  finding.evidence = Evidence::Predicted;
  finding.pid = 77;
  auto acquisition = [](Lock lock, const char* function, int line) {
    Acquisition made;
    made.lock = std::move(lock);
    made.stack = sample_stack({sample_frame(function, "bank.cpp", line, 3)});
    made.variable.kind = LocationKind::Global;
    made.variable.description = "a global variable";
    made.identity = made.lock.kind + " " + made.lock.name;
    return made;
  };
  const Lock a{1, "mutex", "write", 0x6000, "a"}, b{2, "rwlock", "write", 0x6100, "b"},
      to_read{2, "rwlock", "read", 0x6100, "b"};
  Deadlock deadlock;
  deadlock.edges = {{5, 5, acquisition(b, "transfer", 41), {acquisition(a, "transfer", 40)}, 0},
                    {6, 6, acquisition(a, "audit", 51), {acquisition(to_read, "audit", 50)}, 0}};
  deadlock.edges[0].wants.quote = SourceQuote{41, 3, "  b.lock();"};
  finding.headline = deadlock_headline(deadlock);
  finding.hint = deadlock_hint(deadlock);
  deadlock.steps = deadlock_steps(deadlock);
  finding.kind = deadlock;
  finding.tasks = {
      {5, "thread", 1, 5, sample_stack({sample_frame("main", "bank.cpp", 30, 5)}), std::nullopt},
      {1, "initial thread", 0, 0, {}, std::nullopt},
      {6, "thread", 1, 6, sample_stack({sample_frame("main", "bank.cpp", 31, 5)}), std::nullopt}};
  finding.hits = 3;
  return finding;
}

inline Stall sample_deadlock() {
  const Lock a{0, "mutex", "write", 0x7000, "a"}, b{0, "mutex", "write", 0x7100, ""};
  Waiter first{"0", "initial thread", "joins a thread", std::nullopt, "", {a}, {}, std::nullopt};
  first.stack = sample_stack({sample_frame("main", "pool.cpp", 30, 3)});
  Waiter second{"0.1", "thread", "acquires a lock", a, "0", {b, {0, "rwlock", "read", 0x7200, "c"}}, {}, {}};
  second.stack = sample_stack({sample_frame("work", "pool.cpp", 9, 5)});
  second.quote = SourceQuote{9, 5, "  a.lock();"};
  return {"deadlock", 77, {first, second}};
}

inline Report sample_report() {
  Report report;
  report.version = "0.1.0";
  report.program = "./app";
  report.reproduce = "OMP_NUM_THREADS=4 heddle run ./app 'a b'";
  report.command = {"./app", "a b"};
  report.directory = "/home/user";
  report.exit_code = 139;
  report.signal = 11;
  report.findings = {sample_certain(), sample_predicted(), sample_violation(), sample_potential_deadlock()};
  report.deadlocks = 1;
  report.certain_violations = 1;
  report.certain = 3;  // two are beyond max-reports
  report.predicted = 1;
  report.suppressed = 4;
  report.stalls = {sample_deadlock()};
  report.unused_suppressions = {{"race:legacy_*", "known.txt:3"}};
  report.warnings = {"the memory limit of 64 MiB was reached; later accesses were not checked"};
  report.stats = {{"accesses", "1000"}, {"mode", "parallel"}};
  report.started = true;
  return report;
}

}  // namespace heddle::report
