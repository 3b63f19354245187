// What the tool says to its user on the standard error, and the exit codes that go with it.
#pragma once

#include <string>

#include "support/result.hpp"

namespace heddle::output {

// Wrong use or a missing part, as opposed to a finding or the program's own failure.
inline constexpr int kUsageError = 2;

// Neither a proof nor a bug; neither confirmed nor refuted.
inline constexpr int kUndecided = 4;

// A file that was given is damaged, incomplete or of another kind, and nothing was found in what could be read
// (EX_DATAERR).
inline constexpr int kDamagedInput = 65;

// Prints `heddle: MESSAGE` to the standard error, fit for a terminal.
void say(const std::string& message);
// The same, and returns kUsageError, or kDamagedInput.
int fail(const std::string& message);
int fail_input(const std::string& message);
int fail(const Error& error);

}  // namespace heddle::output
