// Executes a real program repeatedly: the tool's side of the fork server (src/runtime/controlled/fork_server.hpp).
//
// The program starts once and runs to the point where its executions can differ. From there each execution is a fork:
// it follows the prefix on its worker's board, is recorded through its worker's channel, and the tool reads the
// recording after it has ended. A program that ends before it creates anything parallel has only one execution.
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
  std::vector<std::string> environment;  // without the variables that lead to the workers
  u32 workers = 1;
  double step_timeout = 10;        // seconds of work without a step after which an execution is aborted
  std::function<bool()> unwanted;  // until the first fork: should it be cancelled?
  // In place of the tool's own; -1: those.
  int standard_input = -1, standard_output = -1, standard_error = -1;
  bool shows_output = true;  // of the first execution
  bool at_fixed_addresses =
      false;  // where the kernel allows it: programs of several processes are to be compared
  bool captures_output = false;  // of steered executions, both streams
  bool choose_at_accesses = false;
  bool choose_at_permissions = false;
};

// How to steer one execution: see control/steering.hpp.
struct SteerRequest {
  control::SteeringInput steering;
  std::span<const control::Place> places;
  std::span<const Choice> prefix;  // the choices before the strategy decides
};

// The steps that SteeringResult counts are choices; the actors that met are ActorNumbers.
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

  // It ended before it created anything parallel; then there are no executors, and status() is its waitpid status.
  bool sequential() const { return sequential_; }
  int status() const { return status_; }

  // The memory layout: executions of two instances of the program can be compared if their layouts are equal. Empty:
  // not known.
  std::string layout() const;

  // Bits of control::Assumption that its executions needed so far.
  u32 assumptions() const { return assumptions_; }

  class Worker;
  std::vector<std::unique_ptr<Executor>>& executors() { return executors_; }

  // From now on all explored executions are checked for the goal; kNone: for none. Only goals that completed accesses
  // decide (kAtomicity). REQUIRES: no exploration runs meanwhile.
  void watch(control::Goal goal, std::span<const control::Place> places, bool any_address);
  // Did any of them reach it?
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
  std::atomic<bool> shown_{false};  // the first execution prints
  int status_ = 0;
  std::vector<std::unique_ptr<Executor>> executors_;
};

}  // namespace heddle::explore
