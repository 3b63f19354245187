// A program to be checked or recorded: found, verified, and given the environment that connects it to the tool.
// Shared by `heddle run` and `heddle record`.
#pragma once

#include <optional>

#include "launch/child.hpp"
#include "launch/log_file.hpp"
#include "launch/program_check.hpp"
#include "settings/settings.hpp"

namespace heddle::launch {

using settings::Options, settings::Settings;

struct WatchedProgram {
  std::string name;  // as the user gave it
  std::string path;
  ProgramKind kind;
};

// An error if it cannot be run. A program built without Heddle can: the programs that it starts are checked.
Result<WatchedProgram> find_watched(const std::string& name, bool quiet);

// Why it cannot run under the verification runtime, if known.
std::optional<std::string> unfit_for_serial(const WatchedProgram& program);
// Why it cannot be recorded, if known.
std::optional<std::string> unfit_for_record(const WatchedProgram& program);

// The child's environment: ours, with the descriptor of the log and the options for the runtime, and the variables in
// `more`.
std::vector<std::string> watched_environment(const LogFile& log, const Options& options,
                                             const std::vector<std::string>& more = {});

// The first line of the raw log.
report::RunLine run_line(const Settings& settings);

// The message that nothing was checked, or recorded, and why.
std::string nothing_ran_message(const WatchedProgram& program, const ChildEnd& end, const std::string& done);

}  // namespace heddle::launch
