// The meaning of depend clauses, from OpenMP 5.1, section 2.19.11: one pair of clauses at a time.
#pragma once

#include "event/event.hpp"

namespace heddle::event {

// Does a clause make its task wait for an earlier sibling with the other clause?
inline bool depends_on(const Depend& later, const Depend& earlier) {
  if (later.kind == DependKind::kAllMemory || earlier.kind == DependKind::kAllMemory) return true;
  if (later.address != earlier.address) return false;
  bool shareable =
      later.kind != DependKind::kOut;  // in, inoutset and mutexinoutset tasks do not wait for their own kind
  return !(shareable && later.kind == earlier.kind);
}

inline bool depends_on(const std::vector<Depend>& later, const std::vector<Depend>& earlier) {
  for (const Depend& a : later)
    for (const Depend& b : earlier)
      if (depends_on(a, b)) return true;
  return false;
}

}  // namespace heddle::event
