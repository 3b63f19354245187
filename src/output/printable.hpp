// Text that others wrote (names, paths, lines of files, what a program printed), made fit for a terminal: an escape
// sequence in it does nothing, and cannot be taken for a line of ours.
#pragma once

#include <string>
#include <string_view>

namespace heddle::output {

enum class Lines { kEscaped, kKept };  // newlines and tabs

// Control characters and bytes that are no UTF-8 become \n, \t, \x1b; those of the C1 block and the marks that turn the
// direction of text round \u{9b}. All else, a backslash included, stays what it is: paths and source lines have to be
// readable.
std::string printable(std::string_view text, Lines lines = Lines::kEscaped);

}  // namespace heddle::output
