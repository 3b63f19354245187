#include "runtime/annotated/flags.hpp"

#include "runtime/state/access_mode.hpp"

namespace heddle::annotated {

const Observer* g_table = nullptr;
std::atomic<bool> g_anything_annotated{false};
std::atomic<u32> g_version{0};
std::atomic<u32> g_changes{1};
bool g_regions = false;
bool g_critical_sections = false;
bool g_reacquired_locks = false;

void switch_on() {
  if (g_observer == g_table) return;
  g_observer = g_table;
  mode_changed();
}

}  // namespace heddle::annotated
