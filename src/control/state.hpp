// What the files of this folder tell each other.
#pragma once

namespace heddle::control {

// Whoever polls may find something new.
void something_changed();

}  // namespace heddle::control
