// Runs a program to its end and passes on signals meanwhile, so that stopping the tool stops the program and
// the report is still made.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/result.hpp"

namespace heddle::launch {

struct ChildEnd {
  int code = 0;
  int signal = 0;      // that killed it; 0 if it exited
  bool late = false;   // ended at the time limit
  bool hung = false;   // ended because it hung
  std::string output;  // what it printed, both streams, if that was captured
};

// Whether the kernel may randomise addresses. If the kernel does not allow to switch that off (some containers), it
// does.
enum class Addresses { kRandom, kTheSame };

enum class Output { kShown, kDropped, kCaptured };

struct ChildOptions {
  Addresses addresses = Addresses::kRandom;
  Output output = Output::kShown;
  double most_seconds = 0;  // 0: no limit
  // Ends the program if every thread has waited for another one, without a change, for so long. 0: never.
  double most_hanging = 0;
  // The processes to query for the state of their threads before they are killed; null: none.
  std::function<std::vector<int>()> processes;
};

// `path` is what is executed, `words` its argv. Uses process-wide signal handlers: one call at a time.
Result<ChildEnd> run_child(const std::string& path, const std::vector<std::string>& words,
                           const std::vector<std::string>& environment, const ChildOptions& options = {});

}  // namespace heddle::launch
