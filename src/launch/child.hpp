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
  bool late = false;   // it was ended since its time was over
  bool hung = false;   // or since it could not go on
  std::string output;  // what it printed, both streams, if that was captured
};

// Whether the kernel may choose other addresses in every run. Where it does not let itself be asked (some
// containers), it does.
enum class Addresses { kRandom, kTheSame };

enum class Output { kShown, kDropped, kCaptured };

struct ChildOptions {
  Addresses addresses = Addresses::kRandom;
  Output output = Output::kShown;
  double most_seconds = 0;  // 0: as long as it takes
  // Every thread waits for another one, and nothing has changed for so long: then it is ended, too. 0: never.
  double most_hanging = 0;
  // Those that are to be asked where they stand before they are killed; without it nobody is.
  std::function<std::vector<int>()> processes;
};

// `path` is what is executed, `words` its argv. Uses process-wide signal handlers: one call at a time.
Result<ChildEnd> run_child(const std::string& path, const std::vector<std::string>& words,
                           const std::vector<std::string>& environment, const ChildOptions& options = {});

}  // namespace heddle::launch
