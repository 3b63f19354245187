#include "engine/zipper/sections.hpp"

#include <algorithm>

namespace heddle::engine {

void Sections::acquire(TaskIndex task, u32 lock, bool write) {
  if (task >= open_.size()) open_.resize(task + 1);
  open_[task].push_back({lock, write, {}});
}

void Sections::release(TaskIndex task, u32 lock, const order::Clock& known) {
  auto& open = open_[task];
  auto section = std::find_if(open.begin(), open.end(), [&](const Open& each) { return each.lock == lock; });
  if (section == open.end()) return;
  for (const Touched& touched : section->touched) {
    auto& past = past_[touched.base];
    auto alike = std::find_if(past.begin(), past.end(), [&](const Past& each) {
      return each.lock == lock && each.exclusive == section->exclusive && each.read == touched.read &&
             each.write == touched.write;
    });
    // They conflict with the same accesses: their clocks can be joined.
    if (alike != past.end())
      alike->released.join(known);
    else
      past.push_back({lock, section->exclusive, touched.read, touched.write, known});
  }
  open.erase(section);
}

void Sections::touch(TaskIndex task, u64 base, u64 read, u64 write, order::Clock& after) {
  auto past = past_.find(base);
  for (Open& section : open_[task]) {
    section.touched.push_back({base, read, write});
    if (past == past_.end()) continue;
    for (const Past& each : past->second) {
      if (each.lock != section.lock || !(each.exclusive || section.exclusive)) continue;
      if ((write & (each.read | each.write)) || (read & each.write)) after.join(each.released);
    }
  }
}

void Sections::new_memory(u64 base, u64 bytes) {
  if (auto past = past_.find(base); past != past_.end()) {
    for (Past& each : past->second) {
      each.read &= ~bytes;
      each.write &= ~bytes;
    }
    std::erase_if(past->second, [](const Past& each) { return !(each.read | each.write); });
  }
  for (auto& sections : open_)
    for (Open& section : sections)
      for (Touched& touched : section.touched)
        if (touched.base == base) {
          touched.read &= ~bytes;
          touched.write &= ~bytes;
        }
}

}  // namespace heddle::engine
