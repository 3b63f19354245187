// Compilers read more arguments from `@file`. The wrapper has to read such files (they may contain -shared, -fopenmp
// or -lgomp) and may have to change their arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"

namespace heddle::wrapper {

// GCC's rules: blanks separate, single and double quotes group, a backslash takes the next character as it
// is.
std::vector<std::string> split_response_text(std::string_view text);

struct ExpandedArguments {
  std::vector<std::string> arguments;
  bool from_file = false;  // some came from a response file
};
// Replaces every `@file` that can be read by its contents, nested ones too. As in the compilers, one that
// cannot be read is an ordinary argument.
Result<ExpandedArguments> expand_response_files(const std::vector<std::string>& arguments);

// Writes arguments into an anonymous file that a child inherits, and returns the `@...` that names it. No temporary
// file is left behind, although exec leaves no process to remove it.
Result<std::string> to_response_file(const std::vector<std::string>& arguments);

}  // namespace heddle::wrapper
