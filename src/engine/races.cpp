#include <bit>
#include <utility>

#include "engine/engine.hpp"

namespace heddle::engine {

void RaceLog::add(const Side& first, const Side& second, u64 address, u64 bytes) {
  if (observer) observer(first, second, address, bytes);
  Side low = first, high = second;
  auto rank = [](const Side& side) { return u64{side.site} << 2 | u64{side.write} << 1 | side.atomic; };
  if (rank(high) < rank(low)) std::swap(low, high);
  u64 where = address + static_cast<u64>(std::countr_zero(bytes));
  Key key{u64{low.site} << 32 | high.site,
          u64{low.write} << 3 | u64{low.atomic} << 2 | u64{high.write} << 1 | u64{high.atomic}};
  if (!low.site && !high.site) key.rest |= where << 4;
  auto [found, is_new] = known_.try_emplace(key, races_.size());
  if (is_new)
    races_.push_back({first, second, where, 1});
  else
    ++races_[found->second].locations;
}

}  // namespace heddle::engine
