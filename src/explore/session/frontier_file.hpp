// PROGRAM.frontier: the unexplored rest (explore/frontier.hpp), followed by the explored part of the certificate:
// bits of control::Assumption, and the certificate so far.
#pragma once

#include <string>

#include "base/types.hpp"
#include "support/result.hpp"

namespace heddle::explore {

struct FrontierFile {
  std::string frontier;
  u32 assumptions = 0;
  std::string certificate;  // without its end; empty: none is to be written
};

std::string to_text(const FrontierFile& file);
// An error if it is cut off. The frontier itself is checked when it is used.
Result<FrontierFile> parse_frontier_file(const std::string& text);

}  // namespace heddle::explore
