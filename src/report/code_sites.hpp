// Places in a program's code by names that survive a change elsewhere in its source: file, function, the text of the
// line and which of the function's lines with that text it is; neither an address nor a line number.
//
// Example: `write | bank.cpp | deposit | 1 | balance = seen + amount;`
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/finding.hpp"
#include "support/result.hpp"

namespace heddle::report {

struct CodeSite {
  enum class Op { kRead, kWrite, kAcquire, kAny } op = Op::kAny;
  std::string file;      // its last part
  std::string function;  // without parameters and without numbers that the compiler gave; empty: any
  int ordinal = 1;
  std::string text;  // of the line, blanks at its ends left out; `:42` if the source could not be read
  bool operator==(const CodeSite&) const = default;
};

std::string to_text(const CodeSite&);
Result<CodeSite> parse_code_site(std::string_view);

// What an access of a finding is called. Its innermost frame of the user's own code, if that is part of the function
// that makes the access; else the function itself.
Result<CodeSite> name_site(const std::string& executable, const Access&);
Result<CodeSite> name_site(const std::string& executable, const Acquisition&);
// `bank.cpp:42`, as a user gives it.
Result<CodeSite> site_of_line(std::string_view file_and_line);

struct CodeRange {
  Address begin = 0, end = 0;  // file addresses
};
// All code of the site in the executable, inlined calls included. An error says what is not there.
Result<std::vector<CodeRange>> find_code(const std::string& executable, const CodeSite&);

}  // namespace heddle::report
