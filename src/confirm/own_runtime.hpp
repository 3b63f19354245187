// `heddle confirm` for a program that cannot run on the verification runtime: threads are paused at the places of a
// finding (src/runtime/controlled/pauses.hpp), in one ordinary checked run after the other. No schedule can be followed
// there; what is confirmed was seen, and the report of that run has it.
#pragma once

#include "confirm/session.hpp"

namespace heddle::confirm {

using settings::Settings;

// Notes the state of each finding that is asked for. Atomicity violations stay undecided.
Result<bool> confirm_on_own_runtime(const ConfirmRequest& request, const Settings& settings,
                                    report::Report& report);

}  // namespace heddle::confirm
