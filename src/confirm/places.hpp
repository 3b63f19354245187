// Where the sites of a target are in an executable.
#pragma once

#include <string>
#include <vector>

#include "confirm/target.hpp"
#include "replay/places.hpp"

namespace heddle::confirm {

// With where the locks are acquired that are held at the sites of a cycle. An error says which of them is not there.
Result<std::vector<control::Place>> find_places(const std::string& executable, const Target& target);

}  // namespace heddle::confirm
