// The data that the user declares atomic: --atomic=var:NAME, --atomic=group:NAME,NAME; for a running program also
// --atomic=function:NAME and --atomic=critical-sections, which are regions of code. A name is that of a variable of
// static storage duration, or ADDRESS+SIZE, or that of a function.
#pragma once

#include <string>
#include <vector>

#include "engine/atomicity/atomic_data.hpp"
#include "support/result.hpp"

namespace heddle::launch {

class AtomicOption {
 public:
  // Parses --atomic=, several separated by `;`. Regions are for a running program only. Returns empty, or the
  // problem.
  std::string add_all(const std::string& texts, bool with_regions);

  // For the running program (src/runtime/annotated/annotated.cpp): the locations in its file.
  Result<std::string> for_program(const std::string& path) const;

  // The addresses. `about` is the description of the program in a history (lines of docs/raw-log.md).
  Result<engine::AtomicRanges> resolve(const std::string& about) const;
  // Is there a name that needs the program's symbols?
  bool needs_program() const;

 private:
  enum class Kind { kVariable, kGroup, kFunction, kCriticalSections, kReacquiredLocks };
  struct Named {
    Kind kind = Kind::kVariable;
    std::vector<std::string> names;
  };
  std::string add(const std::string& text, bool with_regions);

  std::vector<Named> all_;
};

}  // namespace heddle::launch
