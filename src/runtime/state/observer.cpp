#include "runtime/state/observer.hpp"

namespace heddle {

const Observer* g_observer = nullptr;

}  // namespace heddle
