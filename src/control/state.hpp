// What the files of this folder tell each other.
#pragma once

#include "control/strategy.hpp"

namespace heddle::control {

// Whoever polls may find something new.
void something_changed();

// The one that the actor waits for, if there is exactly one that can help; who holds a lock for reading may not be alone.
const Actor* awaited_by(const Actor& actor);

}  // namespace heddle::control
