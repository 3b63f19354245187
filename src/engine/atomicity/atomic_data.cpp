#include "engine/atomicity/atomic_data.hpp"

#include <algorithm>

namespace heddle::engine {

AtomicData::AtomicData(const AtomicRanges& ranges) {
  for (u32 number = 0; number < ranges.groups.size(); ++number) {
    const Group& group = ranges.groups[number];
    first_.push_back(group.empty() ? 0 : group.front().address);
    for (const AddressRange& range : group) add(range, number);
  }
  for (const AddressRange& range : ranges.locations) add(range, kAlone);
}

// The first range that contains a byte owns it.
void AtomicData::add(const AddressRange& range, u32 group) {
  const u64 end = range.address + range.size;
  for (u64 at = range.address; at < end;) {
    const auto next = members_.upper_bound(at);
    if (next != members_.begin())
      if (const auto before = std::prev(next); before->second.end > at) {
        at = before->second.end;
        continue;
      }
    const u64 to = next == members_.end() ? end : std::min(end, next->first);
    members_[at] = {to, group};
    at = to;
  }
}

}  // namespace heddle::engine
