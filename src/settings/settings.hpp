// Collects the options of one invocation from the file, the environment and the command line, in that order.
#pragma once

#include "settings/options.hpp"

namespace heddle::settings {

// What follows the options of a verb.
enum class Operands {
  kProgram,  // a program and its arguments: options end at the first word without a leading `-`, or after `--`
  kFiles,    // files; options may follow them
  kCompiler,  // everything is the compiler's
};

struct Settings {
  Options options;
  std::vector<std::string> command_line;  // the options that were given there, as given
  std::vector<std::string> operands;      // what follows: the program and its arguments, or the log
};

// `verb` is one of options::Verbs: only its options are taken from the command line. `name` is for messages.
Result<Settings> collect_settings(options::Verbs verb, std::string_view name, Operands operands,
                                  const std::vector<std::string>& arguments);

}  // namespace heddle::settings
