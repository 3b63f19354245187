// An engine's state for all of memory: a list of entries for each 64 bytes.
#pragma once

#include "base/entry_list.hpp"
#include "engine/paged.hpp"

namespace heddle::engine {

// The lists of all of memory.
template <class Entry>
class EntryLog : public Paged<EntryList<Entry>> {
  using Lists = Paged<EntryList<Entry>>;

 public:
  ~EntryLog() {
    Lists::for_each([](EntryList<Entry>& list, u64) { list.destroy(); });
  }
  usize memory() {
    usize bytes = Lists::memory();
    Lists::for_each([&](const EntryList<Entry>& list, u64) { bytes += list.memory(); });
    return bytes;
  }
};

}  // namespace heddle::engine
