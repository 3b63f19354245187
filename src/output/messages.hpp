// The tool's messages on the standard error, and their exit codes.
#pragma once

#include <string>

#include "support/result.hpp"

namespace heddle::output {

// Wrong use or a missing part, not a finding or a failure of the program.
inline constexpr int kUsageError = 2;

// Neither a proof nor a bug; neither confirmed nor refuted.
inline constexpr int kUndecided = 4;

// A given file is damaged, incomplete or of another kind, and nothing was found in its readable part (EX_DATAERR).
inline constexpr int kDamagedInput = 65;

// Prints `heddle: MESSAGE` to the standard error, made safe for a terminal.
void say(const std::string& message);
// The same, and returns kUsageError, or kDamagedInput.
int fail(const std::string& message);
int fail_input(const std::string& message);
int fail(const Error& error);

}  // namespace heddle::output
