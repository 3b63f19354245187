// The states of all findings that were steered for, one a line: what `heddle confirm` ends with.
#pragma once

#include <ostream>

#include "report/finding.hpp"

namespace heddle::report {

void write_confirmation_table(std::ostream& out, const Report& report);

// How many findings, or the search, are in that state.
std::size_t count_state(const Report& report, const char* state);

}  // namespace heddle::report
