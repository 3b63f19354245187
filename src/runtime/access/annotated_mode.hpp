// Annotated data goes its own way (runtime/annotated), all else that of the usual mode. If nothing else matters, that
// ends here.
#pragma once

#include "runtime/state/access_mode.hpp"

namespace heddle::annotated_mode {

extern const AccessMode kMode;

}  // namespace heddle::annotated_mode
