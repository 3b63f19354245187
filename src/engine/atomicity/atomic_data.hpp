// Which locations are meant to be accessed atomically: named ones, groups of them, or all.
//
// An access to one member of a group counts as an access to all, so that a pair may begin at one and end at another.
#pragma once

#include <map>
#include <vector>

#include "base/types.hpp"

namespace heddle::engine {

struct AddressRange {
  u64 address = 0, size = 0;
};
using Group = std::vector<AddressRange>;

// If nothing is named, all of memory is atomic data.
struct AtomicRanges {
  std::vector<AddressRange> locations;  // each byte by itself
  std::vector<Group> groups;
};

class AtomicData {
 public:
  explicit AtomicData(const AtomicRanges& ranges);

  bool is_everything() const { return members_.empty(); }

  // The state of a group is kept at an address that no program has.
  static u64 place_of(u32 group) { return kPlaces + u64{group} * 64; }
  // The address in reports: the first member of a group.
  u64 shown_address(u64 address) const {
    return address < kPlaces ? address : first_[(address - kPlaces) / 64];
  }

  // The parts of an access to the range: grouped(group) once for each group, alone(address, size) for other atomic
  // locations.
  // REQUIRES: something is named.
  template <class Grouped, class Alone>
  void divide(u64 address, u64 size, Grouped&& grouped, Alone&& alone) const {
    const u64 end = address + size;
    u32 last = kAlone;
    auto member = members_.upper_bound(address);
    if (member != members_.begin()) --member;
    for (; member != members_.end() && member->first < end; ++member) {
      const u64 from = member->first > address ? member->first : address,
                to = member->second.end < end ? member->second.end : end;
      if (from >= to) continue;
      if (member->second.group == kAlone)
        alone(from, to - from);
      else if (member->second.group != last)
        grouped(last = member->second.group);
    }
  }

 private:
  static constexpr u64 kPlaces = u64{1} << 63;
  static constexpr u32 kAlone = ~u32{0};
  struct Member {
    u64 end;
    u32 group;
  };

  void add(const AddressRange& range, u32 group);

  std::map<u64, Member> members_;  // by address; they do not overlap
  std::vector<u64> first_;         // by group
};

}  // namespace heddle::engine
