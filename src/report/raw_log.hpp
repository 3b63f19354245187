// The raw log as plain data: what the lines of docs/raw-log.md say, with addresses still unresolved.
//
// A log holds one section per process image. Every `start` line opens a new one, because task and module
// tables mean nothing outside the image that wrote them (a program may exec another one built with Heddle).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "support/result.hpp"

namespace heddle::report {

using Address = std::uint64_t;
using TaskId = std::uint64_t;

enum class Evidence { Predicted, Certain };  // ordered: a certain race is stronger than a predicted one

struct Module {
  std::string path;
  Address base = 0;  // file address + base = run-time address
  Address begin = 0, end = 0;
};

struct RawLock {
  std::uint64_t id = 0;
  std::string kind;
  Address address = 0;
  std::string mode;
};

struct RawAccess {
  std::string op;
  bool atomic = false;
  Address address = 0;
  std::uint64_t size = 0;
  std::vector<Address> stack;  // innermost first
  TaskId task = 0;
  std::uint64_t thread = 0;
  std::vector<RawLock> locks;
};

enum class LocationKind { Unknown, Global, Heap, Stack, Tls };

struct RawLocation {
  LocationKind kind = LocationKind::Unknown;
  Address base = 0;  // heap
  std::uint64_t size = 0, offset = 0;
  std::vector<Address> stack;
  TaskId task = 0;
  std::optional<std::uint64_t> count;  // of allocations by this task with this stack before
  bool freed = false;
  std::uint64_t thread = 0;                     // stack, tls
  std::optional<Address> frame, frame_pointer;  // stack: a pc in the owning function, its frame pointer
};

struct RawTask {
  TaskId id = 0;
  std::string kind;
  TaskId parent = 0;
  std::uint64_t thread = 0;
  std::vector<Address> created;
  std::optional<std::uint64_t> count = {};  // of tasks that its parent had created with this stack before
};

// A race of two accesses, or (with `last`) an atomicity violation: `second` can come between `first` and `last`.
struct RawRace {
  std::uint64_t id = 0;
  Evidence evidence = Evidence::Certain;
  std::string unless;  // a condition under which it is none, in the raw log's words; empty if there is none
  Address address = 0;
  std::uint64_t size = 0;
  RawAccess first, second;
  std::optional<RawAccess> last;
  std::vector<Address> group;  // of a violation: the members that belong together, if it is about a group
  RawLocation location;
  // How many module lines came before this race: a library that was unloaded later, or replaced by another
  // one at the same address, is looked up as it was then.
  std::size_t modules_seen = 0;
};

// A lock that was acquired: where, and what memory it is in.
struct RawAcquisition {
  RawLock lock;
  RawLocation location;
  std::vector<Address> stack;
  std::uint64_t name = 0;  // of the lock, in other executions too; 0: unknown
};

// A cycle of acquisitions: each task wants a lock that the next one holds.
struct RawDeadlock {
  struct Edge {
    TaskId task = 0;
    std::uint64_t thread = 0;
    std::uint64_t name = 0;  // of the task, likewise
    RawAcquisition wants;
    std::vector<RawAcquisition> holds;
  };
  std::uint64_t id = 0;
  Evidence evidence = Evidence::Predicted;
  std::vector<Edge> edges;
  std::size_t modules_seen = 0;
};

struct RawWaiter {
  std::string name, kind, waits;
  std::uint64_t thread = 0;
  TaskId task = 0;
  std::optional<RawLock> lock;  // that it wants
  std::string holder;           // name of one that holds it; empty if there is none
  std::vector<RawLock> holds;
  std::vector<Address> stack;
};

// No thread can continue; written by the verification runtime as the last thing.
struct RawStall {
  std::string kind;
  std::vector<RawWaiter> waiters;
};

struct Process {
  std::uint64_t pid = 0;
  std::string exe;
  std::vector<Module> modules;
  std::unordered_map<TaskId, RawTask> tasks;
  std::vector<RawRace> races;  // and violations, in the order they were found
  std::vector<RawDeadlock> deadlocks;
  std::optional<RawStall> stall;
  std::unordered_map<std::uint64_t, std::uint64_t> hits;  // id of a race or deadlock -> how often
  std::map<std::string, std::string> stats;
  std::vector<std::string> warnings;
  std::vector<std::string> not_analysed;  // phrases
  bool has_options = true;                // of the tool; false: its environment was removed
  std::vector<std::string> checks;        // what it looked for, as --check names it
  std::optional<std::string> end_reason;
};

// The two lines the tool itself writes, so that a kept log can be rendered again as it was.
struct RunLine {
  std::vector<std::string> command;
  std::vector<std::string> options;      // of `heddle run` that the program consumed
  std::vector<std::string> environment;  // assignments needed to repeat the run (OMP_NUM_THREADS=4, ...)
  std::string directory;
};
struct ExitLine {
  int code = 0;
  int signal = 0;  // 0: the program was not killed
};

struct RawLog {
  std::optional<RunLine> run;
  std::optional<ExitLine> exit;
  std::vector<Process> processes;
  // Forked children that were not analysed, by process id: has it become another program?
  std::map<std::uint64_t, bool> forked;
  std::vector<std::string> complaints;  // malformed lines, by number
  bool is_cut_off = false;              // the last line has no newline
};

// Never fails: what can be read is read, every line that cannot is named in `complaints`. A last line without
// its newline is a write that a kill cut short, and is ignored.
RawLog read_raw_log(std::string_view text);

// As above, from a file.
Result<RawLog> read_raw_log_file(const std::string& path);

// Empty, or why this is not all that a run has said: for logs that were kept, whose run is over.
std::string what_is_missing(const RawLog&);

std::string to_json_line(const RunLine&);
std::string to_json_line(const ExitLine&);

// The module that held a run-time address when `modules_seen` module lines had been written; null if none
// did.
const Module* module_at(const Process&, Address, std::size_t modules_seen);

}  // namespace heddle::report
