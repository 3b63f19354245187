// What is meant to be atomic, as the user names it: --atomic=var:NAME, --atomic=group:NAME,NAME. A name is that of a variable of static
// storage duration, or ADDRESS+SIZE.
#pragma once

#include <string>
#include <vector>

#include "engine/atomicity/atomic_data.hpp"
#include "report/result.hpp"

namespace heddle::cli {

class AtomicOption {
 public:
  // What follows --atomic=. The answer is empty, or what is wrong.
  std::string add(const std::string& text);

  // Where that is. `about` is what a history says about the program (lines of docs/raw-log.md).
  report::Result<engine::AtomicRanges> resolve(const std::string& about) const;
  // Is there a name that only the program's symbols know?
  bool needs_program() const;

 private:
  struct Named {
    bool is_group = false;
    std::vector<std::string> names;
  };
  std::vector<Named> all_;
};

}  // namespace heddle::cli
