#include "frontend/oracle/annotation.hpp"

#include <set>

namespace heddle::oracle {
namespace {

constexpr u64 kPage = 4096, kBlock = 256, kUnit = 128;

}  // namespace

engine::AtomicRanges annotated_in(const event::History& history) {
  std::set<u64> units;
  for (const event::Event& event : history)
    if (auto* access = std::get_if<event::Access>(&event))
      for (u64 unit = access->address / kUnit; unit * kUnit < access->address + access->size; ++unit)
        units.insert(unit * kUnit);
  engine::AtomicRanges ranges;
  std::set<u64> blocks;
  for (u64 unit : units) {
    if (unit / kPage % 2) {
      if (blocks.insert(unit / kBlock).second) ranges.locations.push_back({unit / kBlock * kBlock, kBlock});
    } else {
      ranges.locations.push_back({unit, 32});
      ranges.locations.push_back({unit + 70, 5});
    }
  }
  return ranges;
}

}  // namespace heddle::oracle
