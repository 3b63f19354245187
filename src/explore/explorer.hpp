// Explores a program: one execution for every class of orders that matters, none twice, each judged for data races.
//
// Explorer is the coordinator: it hands out what to execute and takes what came of it, in any order; so executors may
// be threads, processes or other machines. explore() is the usual loop around it.
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
  // For the frontier (frontier.hpp): what is explored, in words that change when it does; and where to go on from, if
  // not empty.
  std::string subject, frontier;
};

// One complete execution, for whoever listens.
struct Explored {
  const Task& task;
  const Execution& execution;
  const Analysis& analysis;
  std::span<const Race> races;
};

class Listener {
 public:
  virtual ~Listener() = default;
  // One at a time, in the order in which they enter the tree. False: stop.
  virtual bool explored(const Explored&) { return true; }
  // To be asked at any time, by any thread: is it to stop, even in the middle of an execution?
  virtual bool stops() { return false; }
  // Something that keeps the exploration from being complete.
  virtual void problem(const std::string&) {}
  // The exploration begins anew, with shorter steps: what was heard so far does not count.
  virtual void restarted() {}
};

class Explorer {
 public:
  Explorer(const Options& options, Listener& listener) : options_(options), listener_(listener) {}

  // REQUIRES for all: one call at a time.
  // Nothing: wait for a result, or all is done.
  std::optional<Task> take();
  // `analysis` and `races` are those of `execution`.
  void give(const Task& task, const Execution& execution, const Analysis& analysis,
            std::span<const Race> races);
  bool done() const { return tree_.done(); }
  // It was told to, or reached a bound, or found a race and is not to go on.
  bool stopped() const { return stopped_; }
  Statistics statistics() const;

  // What is left, for another Explorer. REQUIRES: nothing is handed out.
  std::string frontier(const Executor& executor) const;
  // Goes on from options.frontier. An error says why that cannot be.
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
  kRefused,     // the frontier to go on from does not fit
};

struct Outcome {
  Verdict verdict = Verdict::kComplete;
  Statistics statistics;
  std::string frontier;           // of what was stopped
  std::string problem;            // of what was refused
  bool damaged_frontier = false;  // of kRefused: it is no frontier, or a part of one
};

// Executes one task.
Execution run(Executor& executor, const Task& task, const Reduction& reduction);

// With as many threads as executors. They must share their table of names.
Outcome explore(std::span<Executor* const> executors, const Options& options, Listener& listener);

}  // namespace heddle::explore
