// What is meant to be atomic, as the user names it: --atomic=var:NAME, --atomic=group:NAME,NAME; for a running
// program also --atomic=function:NAME and --atomic=critical-sections, which are regions of code. A name is that of a
// variable of static storage duration, or ADDRESS+SIZE, or that of a function.
#pragma once

#include <string>
#include <vector>

#include "engine/atomicity/atomic_data.hpp"
#include "support/result.hpp"

namespace heddle::launch {

class AtomicOption {
 public:
  // What --atomic= says, several separated by `;`. Regions are for a running program only. The answer is
  // empty, or what is wrong.
  std::string add_all(const std::string& texts, bool with_regions);

  // For the running program (watched::read_environment): where that is in its file.
  Result<std::string> for_program(const std::string& path) const;

  // Where that is. `about` is what a history says about the program (lines of docs/raw-log.md).
  Result<engine::AtomicRanges> resolve(const std::string& about) const;
  // Is there a name that only the program's symbols know?
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
