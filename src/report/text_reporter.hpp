// The report for a person at a terminal. Ends with a SUMMARY: line that scripts may grep for.
#pragma once

#include <iosfwd>

#include "report/finding.hpp"

namespace heddle::report {

struct TextOptions {
  bool color = false;
  bool predicted = false;  // full reports for predicted races; otherwise one line counts them
  bool stats = false;
  bool quiet = false;  // say nothing when there is nothing to say
};

void write_text(std::ostream&, const Report&, const TextOptions&);

}  // namespace heddle::report
