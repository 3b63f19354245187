#include "explore/clocks.hpp"

#include <algorithm>

namespace heddle::explore {

void Clocks::begin(u32 chain) {
  u32 clock = latest_[chain] == kNone ? 0 : places_[latest_[chain]].clock;
  latest_[chain] = static_cast<u32>(places_.size());
  places_.push_back({chain, lengths_[chain]++, clock});
  own_clock_ = false;
}

void Clocks::join(u32 earlier) {
  u32 current = static_cast<u32>(places_.size()) - 1;
  if (before(earlier, current)) return;
  Place& place = places_[current];
  if (!own_clock_) {
    clocks_.push_back(clocks_[place.clock]);
    place.clock = static_cast<u32>(clocks_.size()) - 1;
    own_clock_ = true;
  }
  const Place& other = places_[earlier];
  std::vector<u32>& mine = clocks_[place.clock];
  const std::vector<u32>& theirs = clocks_[other.clock];
  for (usize i = 0; i < mine.size(); ++i) mine[i] = std::max(mine[i], theirs[i]);
  mine[other.chain] = std::max(mine[other.chain], other.index + 1);
}

}  // namespace heddle::explore
