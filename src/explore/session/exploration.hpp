// A program that is explored: what `heddle prove` and `heddle check-certificate` have in common.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "explore/program/program_executor.hpp"
#include "explore/reduction.hpp"
#include "launch/watched_program.hpp"
#include "settings/settings.hpp"

namespace heddle::explore {

using settings::Settings;

struct StartedProgram {
  launch::WatchedProgram watched;
  launch::LogFile log;
  std::unique_ptr<Program> program;
};

struct StartOptions {
  u32 jobs = 1;
  double step_timeout = 10;
  std::function<bool()> unwanted;              // see ProgramOptions
  std::function<void(ProgramOptions&)> adapt;  // has the last word on how it is started
};

// Starts it under the verification runtime, up to where its executions part. Adds serial=1 to the settings.
Result<StartedProgram> start_exploration(Settings& settings, const StartOptions& start,
                                         const Reduction& reduction);

// Of the program's file, and of what it is given: arguments, the variables that change a run, the standard input if
// it is a file.
std::string program_hash(const std::string& path);
std::string input_hash(const Settings& settings);

// What the exploration took for granted, in words: bits of control::Assumption, and what the program called.
std::vector<std::string> assumptions(const StartedProgram& exploration, u32 bits);

// `./dir/app` -> `app` + suffix, in the current directory.
std::string beside(const std::string& program, const std::string& suffix);

}  // namespace heddle::explore
