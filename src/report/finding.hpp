// What a reporter gets: findings with every name resolved, as plain structs. A reporter decides how they look
// and nothing else; all judgement (what is one bug, what is suppressed, which frames are the user's) has been
// made.
//
// A finding is one of several kinds (`Finding::Kind`). Code that distinguishes them visits that variant with one case
// a kind and no catch-all, so that a new kind does not compile until every visitor handles it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "report/raw_log.hpp"

namespace heddle::report {

struct Frame {
  std::string function;      // in the user's words: `solve`, `task body in main`
  std::string full_name;     // demangled, with parameters; for suppressions and JSON
  std::string linkage_name;  // as in the symbol table
  std::string file;          // relative to the directory of the run where that is shorter; empty if unknown
  std::string path;          // as the debug information has it, absolute
  int line = 0, column = 0;
  std::string module;    // file name of the executable or library
  Address offset = 0;    // file address in that module
  bool inlined = false;  // the code of this frame was inlined into the next one
  bool runtime = false;  // of the OpenMP runtime, the C library, the thread start: not the user's
  bool system = false;   // of a system header (libstdc++), instantiated in the user's program
};

struct Stack {
  std::vector<Frame> frames;  // innermost first
  std::size_t shown = 0;      // frames beyond these are runtime frames at the outer end
  std::size_t user = 0;       // the innermost frame of the user's own code; frames.size() if there is none
  bool empty() const { return frames.empty(); }
  const Frame* user_frame() const { return user < frames.size() ? &frames[user] : nullptr; }
};

struct SourceQuote {
  int line = 0;
  int column = 0;  // of the marker in `text`, from 1; 0 for none
  std::string text;
};

struct Lock {
  std::uint64_t id = 0;
  std::string kind, mode;
  Address address = 0;
  std::string name;  // of the variable, if it has one
};

struct Access {
  std::string op;
  bool atomic = false;
  std::uint64_t size = 0;
  Address address = 0;
  Stack stack;
  std::optional<SourceQuote> quote;
  TaskId task = 0;
  std::uint64_t thread = 0;
  std::vector<Lock> locks;
};

struct Task {
  TaskId id = 0;
  std::string kind;
  TaskId parent = 0;
  std::uint64_t thread = 0;
  Stack created;
  std::optional<SourceQuote> quote;
  std::optional<std::uint64_t> count =
      std::nullopt;           // of those that its parent had created there before, if they were counted
  std::string identity = "";  // what it is called in other runs, too (identity.hpp); empty if unknown
};

struct Variable {
  LocationKind kind = LocationKind::Unknown;
  std::string name;      // `grid[3].count`; empty if it has none
  std::string type;      // of the element named
  std::string declared;  // file:line, if known
  std::string
      description;  // a whole phrase: "global variable `grid[3].count` of type long, declared at app.cpp:5"
  std::uint64_t block_size = 0, offset = 0;  // heap
  Address address = 0;
  std::uint64_t thread = 0;
  TaskId task = 0;  // that allocated it
  std::optional<std::uint64_t> count =
      std::nullopt;  // of those that the task had allocated there before, if they were counted
  bool freed = false;
  Stack allocated;
};

// What is known of accesses to the same memory by two tasks.
struct Conflict {
  Address address = 0;
  std::uint64_t size = 0;
  Access first, second;
  Variable variable;
  std::vector<std::string> also;      // descriptions of other variables with this source pair; at most a few
  std::optional<TaskId> common_task;  // the nearest common ancestor
  std::string ordering;               // one sentence: what would have ordered them
};

// `first` and `second` are unordered.
struct Race : Conflict {
  static constexpr const char* kName = "data race";
};

// `second`, of another task, can come between `first` and `last`, of one step.
struct Violation : Conflict {
  static constexpr const char* kName = "atomicity violation";
  Access last;
  std::string pattern;                    // R-W-R: what first, second and last do
  std::vector<std::string> group;         // variables that belong together, if it is about several
  std::vector<std::string> interleaving;  // what happens one after the other, and what comes of it
};

// A lock that a task acquired, and where.
struct Acquisition {
  Lock lock;
  Stack stack;
  std::optional<SourceQuote> quote;
  Variable variable;       // the memory that the lock is in
  std::string identity;    // of the lock, as of a task
  std::uint64_t code = 0;  // the same as a number, for steering; 0: unknown
};

// A cycle of acquisitions that can all be under way at once: each task wants a lock that the next one holds, the last
// one what the first one holds.
struct Deadlock {
  static constexpr const char* kName = "deadlock";
  struct Edge {
    TaskId task = 0;
    std::uint64_t thread = 0;
    Acquisition wants;
    std::vector<Acquisition> holds;
    std::size_t held_for = 0;     // which of `holds` the one before wants
    std::uint64_t task_code = 0;  // Acquisition::code of the task
  };
  std::vector<Edge> edges;
  std::vector<std::string> steps;  // how it comes about, one after the other
};

// What steering the schedule has shown of a finding (`heddle confirm`).
struct Confirmation {
  std::string state;                       // confirmed, refuted, undecided
  std::string why;                         // of what is not confirmed
  std::string note;                        // what must be known of a confirmed one
  std::string schedule;                    // the file that shows it
  std::string effect;                      // a phrase; empty: none that can be seen
  std::optional<std::string> other_order;  // of a race: the effect when the other access comes first
  std::uint64_t tries = 0, executions = 0, thrashes = 0;
};

struct Finding {
  using Kind = std::variant<Race, Violation, Deadlock>;
  Kind kind;
  std::size_t number = 0;  // counts from 1 in the order of the report
  Evidence evidence = Evidence::Certain;
  std::string headline;  // "write of 4 bytes to `sum` at app.cpp:9 and read of ... are unordered"
  std::uint64_t pid = 0;
  std::vector<Task> tasks;  // those that take part, and their ancestors up to the common one; innermost first
  std::string hint;         // a sentence about locks or atomics; may be empty
  std::size_t pairs = 1;    // distinct races (violations, cycles) at the same source places
  std::uint64_t hits = 1;   // how often they were seen
  std::optional<Confirmation> confirmation;

  template <class T>
  const T* as() const {
    return std::get_if<T>(&kind);
  }
};

// One function a kind, for std::visit.
template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

template <class... Cases>
decltype(auto) visit_kind(const Finding& finding, Cases&&... cases) {
  return std::visit(Overloaded{std::forward<Cases>(cases)...}, finding.kind);
}

inline const char* name_of(const Finding& finding) {
  return std::visit([](const auto& kind) { return kind.kName; }, finding.kind);
}
inline const char* name_of(Evidence evidence) {
  return evidence == Evidence::Certain ? "certain" : "predicted";
}

// A logical thread of a stalled program.
struct Waiter {
  std::string name;   // by its spawn path: `0.2`
  std::string kind;   // `thread`, `initial thread`
  std::string waits;  // a phrase: "joins a thread", "acquires a lock"
  std::optional<Lock> lock;
  std::string holder;
  std::vector<Lock> holds;
  Stack stack;
  std::optional<SourceQuote> quote;
};

struct Stall {
  // `deadlock`: no thread can continue; `livelock`: all of them poll, and nothing changes; `self-deadlock`: a thread
  // waits for a lock that it holds; `hang`: every thread waits for another; `timeout`: none of these, only its time
  // was over.
  std::string kind;
  bool is_bug() const { return kind != "timeout"; }
  std::uint64_t pid = 0;
  std::vector<Waiter> waiters;
};

struct UnusedSuppression {
  std::string text, where;
};

struct Report {
  std::string version;
  std::string program;    // as the user called it
  std::string reproduce;  // a command line
  std::vector<std::string> command;
  std::vector<std::string> checks;  // what all processes looked for, as --check names it
  std::string directory;
  std::optional<int> exit_code, signal;

  std::vector<Finding> findings;           // certain first, then predicted; those the options ask for
  std::size_t certain = 0, predicted = 0;  // races
  std::size_t certain_violations = 0, predicted_violations = 0;
  std::size_t deadlocks = 0;           // cycles of locks, by source places
  std::size_t happened_deadlocks = 0;  // of these: all of a cycle waited for each other
  std::size_t suppressed = 0;          // source pairs
  std::vector<Stall> stalls;           // at most one a process
  std::optional<Confirmation> search;  // for an effect, by chance: `heddle confirm --stop-on`
  std::vector<UnusedSuppression> unused_suppressions;
  std::vector<std::string> warnings;
  std::vector<std::string> not_analysed;  // what this report does not cover, a phrase each
  std::map<std::string, std::string> stats;
  bool started = false;  // some process built with Heddle ran
};

}  // namespace heddle::report
