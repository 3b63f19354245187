// Locations that belong together: an access to one of them counts as an access to all, so that a pair may begin at one and end at another.
#pragma once

#include <map>
#include <vector>

#include "base/types.hpp"

namespace heddle::engine {

struct AddressRange {
  u64 address = 0, size = 0;
};
using Group = std::vector<AddressRange>;

class Groups {
 public:
  explicit Groups(const std::vector<Group>& groups);

  bool empty() const { return members_.empty(); }
  // Where what is known of a group is kept: a byte that no program has.
  static u64 place_of(u32 group) { return kPlaces + u64{group} * 64; }
  u32 group_at(u64 place) const { return static_cast<u32>((place - kPlaces) / 64); }
  static bool is_place(u64 address) { return address >= kPlaces; }
  u64 address_of(u32 group) const { return first_[group]; }

  // Calls grouped(group) once for each group that the range touches, and alone(address, size) for what is in none.
  template <class Grouped, class Alone>
  void divide(u64 address, u64 size, Grouped&& grouped, Alone&& alone) const {
    const u64 end = address + size;
    u32 last = kNone;
    auto member = members_.upper_bound(address);
    if (member != members_.begin()) --member;
    for (; member != members_.end() && member->first < end; ++member) {
      const auto& [from, inside] = *member;
      if (inside.end <= address) continue;
      if (from > address) alone(address, from - address);
      if (inside.group != last) grouped(last = inside.group);
      address = inside.end;
    }
    if (address < end) alone(address, end - address);
  }

 private:
  static constexpr u64 kPlaces = u64{1} << 63;
  static constexpr u32 kNone = ~u32{0};
  struct Member {
    u64 end;
    u32 group;
  };
  std::map<u64, Member> members_;  // by address; they do not overlap
  std::vector<u64> first_;         // by group: the address that reports name
};

}  // namespace heddle::engine
