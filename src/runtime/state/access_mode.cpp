#include "runtime/state/access_mode.hpp"

namespace heddle {

const AccessMode* g_mode = nullptr;
void (*g_choose_mode)() = nullptr;

void mode_changed() {
  if (g_choose_mode) g_choose_mode();
}

}  // namespace heddle
