// `heddle confirm` for a program that cannot run on the verification runtime: pauses threads at the places of a
// finding (src/runtime/controlled/pauses.hpp), in repeated normal checked runs. Schedules cannot be followed there; a
// finding is confirmed if the report of a run has it.
#pragma once

#include "confirm/session.hpp"

namespace heddle::confirm {

using settings::Settings;

// Sets the state of each requested finding. Atomicity violations stay undecided.
Result<bool> confirm_on_own_runtime(const ConfirmRequest& request, const Settings& settings,
                                    report::Report& report);

}  // namespace heddle::confirm
