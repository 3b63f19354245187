// The report for programs: one JSON document, described in docs/json-report.md.
#pragma once

#include <iosfwd>

#include "report/finding.hpp"

namespace heddle::report {

void write_json(std::ostream&, const Report&);

}  // namespace heddle::report
