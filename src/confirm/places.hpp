// Where the sites of a target, or of a schedule, are in an executable.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "confirm/target.hpp"
#include "control/steering.hpp"
#include "report/code_sites.hpp"

namespace heddle::confirm {

// An error says which of them is not there.
Result<std::vector<control::Place>> find_places(const std::string& executable,
                                                std::span<const report::CodeSite> sites);
// With where the locks are acquired that are held at the sites of a cycle.
Result<std::vector<control::Place>> find_places(const std::string& executable, const Target& target);
// As a schedule writes them.
Result<std::vector<control::Place>> find_places(const std::string& executable,
                                                std::span<const std::string> sites);

}  // namespace heddle::confirm
