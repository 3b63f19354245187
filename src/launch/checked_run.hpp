// One run of a program under the checkers, up to its raw log: the common part of `heddle run`, `heddle replay` and
// `heddle confirm`.
#pragma once

#include <string>
#include <vector>

#include "launch/child.hpp"
#include "launch/log_file.hpp"
#include "report/raw_log.hpp"
#include "settings/settings.hpp"

namespace heddle::launch {

using settings::Options, settings::Settings;

struct CheckedRun {
  ChildEnd end;
  report::RawLog raw;
  LogFile log;          // its reported() is to be called when the findings have been shown
  std::string problem;  // what the log that the user asked for does not have
};

struct CheckedRunOptions {
  std::vector<std::string> variables;  // of its environment, besides the usual ones
  ChildOptions child;
  std::string done = "checked";  // for the message if nothing was
};

Result<CheckedRun> run_checked(const Settings& settings, const CheckedRunOptions& how);

}  // namespace heddle::launch
