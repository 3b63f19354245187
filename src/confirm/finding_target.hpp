// From a finding to the goal of steering, and back: does the report of a run that followed the schedule contain it?
#pragma once

#include "confirm/target.hpp"
#include "report/finding.hpp"

namespace heddle::confirm {

Target target_of(const report::Finding& finding, const std::string& executable);

// Does the run of that report show the finding? Accesses are compared by function and line; a deadlock must have
// happened, with a thread that waits for each of its locks. `certainly`: nothing orders the two accesses of a race,
// not even a lock.
bool shows(const report::Report& report, const report::Finding& finding, bool certainly = false);

// Has the deadlock happened in that run, outside of the verification runtime?
bool shows_happened(const report::Report& report, const report::Finding& finding);

}  // namespace heddle::confirm
