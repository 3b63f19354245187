// A schedule followed under a debugger, up to where its bug comes next: `heddle replay --gdb`.
#pragma once

#include "cli/settings.hpp"
#include "explore/schedule.hpp"

namespace heddle::cli {

// The debugger's exit code.
Result<int> run_in_gdb(Settings settings, const explore::Schedule& schedule);

}  // namespace heddle::cli
