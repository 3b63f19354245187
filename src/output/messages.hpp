// The tool's messages on the standard error, and their exit codes.
#pragma once

#include <string>
#include <string_view>

#include "support/result.hpp"

namespace heddle::output {

// Wrong use, a missing part, or a file that cannot be read or written; not a finding or a failure of the program.
inline constexpr int kUsageError = 2;

// Neither a proof nor a bug; neither confirmed nor refuted.
inline constexpr int kUndecided = 4;

// A given file is damaged, incomplete or of another kind, and nothing was found in its readable part (EX_DATAERR).
inline constexpr int kDamagedInput = 65;

// Out of memory, or the raw log has gaps: the analysis is incomplete (EX_SOFTWARE; the program uses the same code).
inline constexpr int kIncomplete = 70;

// Prints `heddle: MESSAGE` to the standard error, made safe for a terminal.
void say(const std::string& message);
// The same, and returns kUsageError, or kDamagedInput.
int fail(const std::string& message);
int fail_input(const std::string& message);
int fail(const Error& error);

// A text to the standard error as it is. Empty, or why it could not be written; all_was_written() remembers it, too.
std::string show(std::string_view text);

// What is printed to the standard output from here on arrives whole, whatever interrupts the tool: stdio gives up.
void guard_standard_output();
// Writes out what is still buffered. False if anything that was to be printed, here or by show(), was lost; it is
// said, as far as that is possible.
bool all_was_written();

}  // namespace heddle::output
