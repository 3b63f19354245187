// Executes a real program again and again: the tool's side of the fork server (src/runtime/controlled/fork_server.hpp).
//
// The program is started once. It runs to where its executions part, and from there each execution is a fork: it
// follows the prefix on its worker's board, is recorded through its worker's channel, and what it recorded is read when
// it has ended. If it ends before anything parallel was made, it has only one execution.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "control/board.hpp"
#include "explore/execution.hpp"
#include "explore/program/trace.hpp"
#include "history/collector.hpp"
#include "support/result.hpp"

namespace heddle::explore {

// A step of a steered execution: cuts do not count.
struct Choice {
  ActorNumber actor = 0;
  Op op = Op::kChoice;
  u64 object = 0;
  u32 sites = 0;  // of kAccess, as bits
};

struct ProgramOptions {
  std::string path;
  std::vector<std::string> words;        // argv
  std::vector<std::string> environment;  // without what leads to the workers
  u32 workers = 1;
  double step_timeout = 10;        // seconds of work without a step after which an execution is given up
  std::function<bool()> unwanted;  // until its executions part: is it to be given up?
  // In place of the tool's own; -1: those.
  int standard_input = -1, standard_output = -1, standard_error = -1;
  bool shows_output = true;  // what the first execution prints
  bool at_fixed_addresses =
      false;  // where the kernel allows it: programs of several processes are to be compared
  bool captures_output = false;  // what steered executions print, both streams
  bool choose_at_accesses = false;
  bool choose_at_permissions = false;
};

// How to steer one execution: see control/steering.hpp.
struct SteerRequest {
  control::SteeringInput steering;
  std::span<const control::Place> places;
  std::span<const Choice> prefix;  // what is done before the strategy decides
};

// The steps that SteeringResult counts are choices; whoever is meeting is an ActorNumber.
struct SteeredRun : control::SteeringResult {
  End end = End::kFinished;
  int status = 0;  // of waitpid
  std::string problem;
  std::vector<Choice> choices;
  std::string output;  // with ProgramOptions::captures_output
};

// The running program and its servers.
class Program {
 public:
  static Result<std::unique_ptr<Program>> start(const ProgramOptions& options);
  ~Program();

  // It ended before anything parallel was made; then there are no executors, and this is how: a status of waitpid.
  bool sequential() const { return sequential_; }
  int status() const { return status_; }

  // Where what lies in its memory: executions of two such programs can be compared if theirs are equal. Empty: not
  // known.
  std::string layout() const;

  // Bits of control::Assumption that its executions needed so far.
  u32 assumptions() const { return assumptions_; }

  class Worker;
  std::vector<std::unique_ptr<Executor>>& executors() { return executors_; }

  // From here on it is watched for in all executions that are explored; kNone: for nothing. Only goals that are decided
  // by accesses that were made (kAtomicity). REQUIRES: nothing is explored meanwhile.
  void watch(control::Goal goal, std::span<const control::Place> places, bool any_address);
  // Has it happened in any of them?
  bool has_seen_goal() const { return has_seen_goal_; }

  // One execution on the first worker. REQUIRES: it is not sequential.
  SteeredRun steer(const SteerRequest& request);

 private:
  friend class Worker;
  Program() = default;

  ProgramOptions options_;
  int process_ = -1;
  int output_ = -1;
  bool sequential_ = false;
  std::atomic<u32> assumptions_{0};
  control::Goal watched_goal_ = control::Goal::kNone;
  std::vector<control::Place> watched_places_;
  bool watches_any_address_ = false;
  std::atomic<bool> has_seen_goal_{false};
  std::atomic<bool> shown_{false};  // what the program prints, by the first execution
  int status_ = 0;
  std::vector<std::unique_ptr<Executor>> executors_;
};

}  // namespace heddle::explore
