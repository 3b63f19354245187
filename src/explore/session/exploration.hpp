// A program under exploration: the common part of `heddle prove` and `heddle check-certificate`.
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
  std::function<void(ProgramOptions&)> adapt;  // may change all other options of the start
};

// Starts the program under the verification runtime, up to its first fork. Adds serial=1 to the settings.
Result<StartedProgram> start_exploration(Settings& settings, const StartOptions& start,
                                         const Reduction& reduction);

// Of a program that ended before it did anything in parallel: why that is no result. Empty: it ended by itself.
std::string given_up(const StartedProgram& exploration);

// Hashes of the program's file, and of its input: arguments, environment variables that change a run, and the
// standard input if that is a file.
Result<std::string> program_hash(const std::string& path);
Result<std::string> input_hash(const Settings& settings);

// The assumptions of the exploration as text: bits of control::Assumption, and the uninstrumented functions it
// called.
std::vector<std::string> assumptions(const StartedProgram& exploration, u32 bits);

// `./dir/app` -> `app` + suffix, in the current directory.
std::string beside(const std::string& program, const std::string& suffix);

}  // namespace heddle::explore
