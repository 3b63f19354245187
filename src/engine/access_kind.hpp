// Kinds of accesses in access sets: which conflict, and which subsume others.
#pragma once

#include "base/types.hpp"
#include "engine/engine.hpp"

namespace heddle::engine {

enum class Kind : u8 { kRead = 0, kWrite = 1, kAtomicRead = 2, kAtomicWrite = 3 };

constexpr Kind kind_of(bool write, bool atomic) {
  return static_cast<Kind>((atomic ? 2 : 0) | (write ? 1 : 0));
}
constexpr bool writes(Kind kind) { return static_cast<u8>(kind) & 1; }
constexpr bool is_atomic(Kind kind) { return static_cast<u8>(kind) & 2; }
constexpr bool conflict(Kind a, Kind b) {
  return (writes(a) || writes(b)) && !(is_atomic(a) && is_atomic(b));
}
// Whatever conflicts with b conflicts with a.
constexpr bool covers(Kind a, Kind b) { return (writes(a) || !writes(b)) && (!is_atomic(a) || is_atomic(b)); }

inline Side side(u32 site, Kind kind) { return {site, writes(kind), is_atomic(kind)}; }

}  // namespace heddle::engine
