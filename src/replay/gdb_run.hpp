// Follows a schedule under a debugger, up to the step before its bug: `heddle replay --gdb`.
#pragma once

#include "explore/schedule.hpp"
#include "settings/settings.hpp"

namespace heddle::replay {

using settings::Settings;

// The debugger's exit code.
Result<int> run_in_gdb(Settings settings, const explore::Schedule& schedule);

}  // namespace heddle::replay
