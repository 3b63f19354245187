// Finds the sites of a schedule in an executable.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "control/steering.hpp"
#include "report/code_sites.hpp"

namespace heddle::replay {

// The error says which one is missing.
Result<std::vector<control::Place>> find_places(const std::string& executable,
                                                std::span<const report::CodeSite> sites);
// As a schedule writes them.
Result<std::vector<control::Place>> find_places(const std::string& executable,
                                                std::span<const std::string> sites);

}  // namespace heddle::replay
