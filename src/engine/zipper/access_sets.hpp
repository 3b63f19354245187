// The access sets of all nodes, by block of memory; see zipper.hpp.
#pragma once

#include "engine/access_kind.hpp"
#include "engine/entry_list.hpp"
#include "engine/happens_before.hpp"
#include "engine/paged.hpp"

namespace heddle::engine {

// One node's accesses of one kind from one site to a block.
struct Entry {
  u64 bytes = 0;
  Epoch node = 0;
  u32 site = 0;
  Kind kind = Kind::kRead;
  u16 bound_to = 0;  // not 0: the thread of the machine that it belongs to
};
static_assert(sizeof(Entry) == 24);

// Who races with b races with a, if a is unordered with it, too.
inline bool stands_for(Kind a, u32 a_bound_to, const Entry& b) {
  return covers(a, b.kind) && (a_bound_to == 0 || a_bound_to == b.bound_to);
}
inline bool conflict(const Entry& a, const Entry& b) {
  return conflict(a.kind, b.kind) && (a.bound_to == 0 || a.bound_to != b.bound_to);
}

using Block = EntryList<Entry>;

}  // namespace heddle::engine
