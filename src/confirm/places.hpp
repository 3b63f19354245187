// Finds the sites of a target in an executable.
#pragma once

#include <string>
#include <vector>

#include "confirm/target.hpp"
#include "replay/places.hpp"

namespace heddle::confirm {

// Includes the acquisitions of the locks held at the sites of a cycle. The error says which one is missing.
Result<std::vector<control::Place>> find_places(const std::string& executable, const Target& target);

}  // namespace heddle::confirm
