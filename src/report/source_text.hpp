// Lines of source files, for quoting. A file is read once; one that cannot be read simply has no lines.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/finding.hpp"

namespace heddle::report {

class SourceText {
 public:
  std::optional<SourceQuote> quote(const Frame*);

 private:
  std::unordered_map<std::string, std::vector<std::string>> files_;
};

}  // namespace heddle::report
