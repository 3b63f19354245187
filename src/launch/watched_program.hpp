// A program that is started to be watched: found, checked, given what leads it to the tool. Shared by `heddle run`
// and `heddle record`.
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

// An error if it cannot be run. A program of another make can: what it starts is watched.
Result<WatchedProgram> find_watched(const std::string& name, bool quiet);

// Why it cannot run under the verification runtime, if that is known.
std::optional<std::string> unfit_for_serial(const WatchedProgram& program);
// Why there can be no history of it, if that is known.
std::optional<std::string> unfit_for_record(const WatchedProgram& program);

// The child's environment: ours, with the descriptor of the log and the options for the runtime, and the variables in
// `more`.
std::vector<std::string> watched_environment(const LogFile& log, const Options& options,
                                             const std::vector<std::string>& more = {});

// The first line of the raw log.
report::RunLine run_line(const Settings& settings);

// Why nothing was checked, or recorded.
std::string nothing_ran_message(const WatchedProgram& program, const ChildEnd& end, const std::string& done);

}  // namespace heddle::launch
