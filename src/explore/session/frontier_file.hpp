// PROGRAM.frontier: what is left to explore (explore/frontier.hpp), and behind it what the certificate of the whole
// needs of the part that was explored: bits of control::Assumption, and the certificate so far.
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
// An error if it is cut off. What the frontier itself says is looked at when it is used.
Result<FrontierFile> parse_frontier_file(const std::string& text);

}  // namespace heddle::explore
