// Explores a program: exactly one execution for every class, each checked for data races.
//
// Explorer is the coordinator: it hands out tasks and takes their results in any order, so executors may be threads,
// processes or other machines. explore() is the usual loop around it.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "explore/races.hpp"
#include "explore/statistics.hpp"
#include "explore/tree.hpp"
#include "support/result.hpp"

namespace heddle::explore {

struct Options {
  const Reduction* reduction = &conflict_aware();
  bool keep_going = false;  // after the first race
  u64 most_executions = 0;  // 0: no bound
  double most_seconds = 0;
  // For the frontier (frontier.hpp): a text that identifies what is explored, and the frontier to resume from, if not
  // empty.
  std::string subject, frontier;
};

// One complete execution, for the listener.
struct Explored {
  const Task& task;
  const Execution& execution;
  const Analysis& analysis;
  std::span<const Race> races;
};

class Listener {
 public:
  virtual ~Listener() = default;
  // Called for one execution at a time, in the order in which they enter the tree. False: stop.
  virtual bool explored(const Explored&) { return true; }
  // May be called at any time, by any thread: should the exploration stop, even in the middle of an execution?
  virtual bool stops() { return false; }
  // A problem that makes the exploration incomplete.
  virtual void problem(const std::string&) {}
  // The exploration restarts with shorter steps: earlier calls do not count.
  virtual void restarted(const Stepping& stepping) {}
};

class Explorer {
 public:
  Explorer(const Options& options, Listener& listener) : options_(options), listener_(listener) {}

  // REQUIRES for all: one call at a time.
  // Nothing: either a result is awaited, or everything is explored.
  std::optional<Task> take();
  // `analysis` and `races` are those of `execution`.
  void give(const Task& task, const Execution& execution, const Analysis& analysis,
            std::span<const Race> races);
  bool done() const { return tree_.done(); }
  // The listener stopped it, or it reached a bound, or it found a race and keep_going is off.
  bool stopped() const { return stopped_; }
  Statistics statistics() const;

  // The remaining work, for another Explorer. REQUIRES: no task is handed out.
  std::string frontier(const Executor& executor) const;
  // Resumes from options.frontier. The error says why that is impossible.
  std::optional<Error> resume(Executor& executor);

 private:
  const Options options_;
  Listener& listener_;
  Tree tree_;
  Statistics statistics_;
  bool stopped_ = false;
};

enum class Verdict : u8 {
  kComplete,    // every class was explored
  kRace,        // stopped at the first
  kBound,       // a bound was reached, or the listener stopped it
  kIncomplete,  // some executions diverged or were too long
  kRefused,     // the frontier to resume from does not fit
};

struct Outcome {
  Verdict verdict = Verdict::kComplete;
  Statistics statistics;
  std::string frontier;           // of what was stopped
  std::string problem;            // of what was refused
  bool damaged_frontier = false;  // of kRefused: it is no frontier, or is cut off
};

// Executes one task.
Execution run(Executor& executor, const Task& task, const Reduction& reduction);

// Uses as many threads as executors. They must share their table of names.
Outcome explore(std::span<Executor* const> executors, const Options& options, Listener& listener);

}  // namespace heddle::explore
