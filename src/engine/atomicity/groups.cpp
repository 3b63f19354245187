#include "engine/atomicity/groups.hpp"

#include <algorithm>

namespace heddle::engine {

Groups::Groups(const std::vector<Group>& groups) {
  for (u32 number = 0; number < groups.size(); ++number) {
    first_.push_back(groups[number].empty() ? 0 : groups[number].front().address);
    for (const AddressRange& range : groups[number]) {
      // A byte is of the first group that claims it.
      u64 at = range.address;
      const u64 end = range.address + range.size;
      while (at < end) {
        auto next = members_.upper_bound(at);
        if (next != members_.begin())
          if (auto before = std::prev(next); before->second.end > at) {
            at = before->second.end;
            continue;
          }
        const u64 free_to = next == members_.end() ? end : std::min(end, next->first);
        members_[at] = {free_to, number};
        at = free_to;
      }
    }
  }
}

}  // namespace heddle::engine
