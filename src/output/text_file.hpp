// Whole files as texts: schedules, certificates, frontiers.
#pragma once

#include <string>

#include "support/result.hpp"

namespace heddle::output {

// `what` names it in the error: "the schedule".
Result<std::string> read_text(const std::string& path, const std::string& what);
// False, after a message, if it cannot.
bool write_text(const std::string& path, const std::string& text);

}  // namespace heddle::output
