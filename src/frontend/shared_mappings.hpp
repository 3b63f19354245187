// Memory that the program shares with other processes: they may wake a thread that waits there. Guarded by the baton
// of the verification runtime, the only user.
#pragma once

#include "base/vector.hpp"
#include "control/control.hpp"
#include "frontend/interpose.hpp"

namespace heddle::shared_mappings {

struct Range {
  uptr begin, end;
};
inline Global<Vector<Range>> g_ranges;

inline void note(const void* begin, usize size) {
  if (control::active()) g_ranges->push_back({address_of(begin), address_of(begin) + size});
}
inline bool contain(const void* at) {
  for (const Range& range : *g_ranges)
    if (address_of(at) >= range.begin && address_of(at) < range.end) return true;
  return false;
}

}  // namespace heddle::shared_mappings
