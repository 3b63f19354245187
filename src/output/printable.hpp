// Foreign text (names, paths, lines of files, output of a program), made safe for a terminal: an escape sequence in
// it has no effect, and cannot pass for a line of ours.
#pragma once

#include <string>
#include <string_view>

namespace heddle::output {

enum class Lines { kEscaped, kKept };  // newlines and tabs

// Control characters and bytes that are not UTF-8 become \n, \t, \x1b; C1 control characters and bidirectional marks
// become \u{9b}. Everything else, including a backslash, stays: paths and source lines must be readable.
std::string printable(std::string_view text, Lines lines = Lines::kEscaped);

}  // namespace heddle::output
