// Collects the options of one invocation from the file, the environment and the command line, in that order.
#pragma once

#include "settings/options.hpp"

namespace heddle::settings {

struct Settings {
  Options options;
  std::vector<std::string> command_line;  // the options that were given there, as given
  std::vector<std::string> operands;      // what follows: the program and its arguments, or the log
};

// Options end at the first argument without a leading `-`, or after `--`: what follows belongs to the
// program.
Result<Settings> collect_settings(const std::vector<std::string>& arguments);

}  // namespace heddle::settings
