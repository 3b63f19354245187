#include <bit>

#include "engine/violation.hpp"

namespace heddle::engine {

void ViolationLog::add(const Side& first, const Side& intruder, const Side& last, u64 address, u64 bytes) {
  if (observer) observer(first, intruder, last, address, bytes);
  const u64 where = address + static_cast<u64>(std::countr_zero(bytes));
  const bool nameless = !first.site && !intruder.site && !last.site;
  auto [found, is_new] =
      known_.try_emplace({first.site, intruder.site, last.site, nameless ? where : 0}, violations_.size());
  if (is_new)
    violations_.push_back({first, intruder, last, where, 1});
  else
    ++violations_[found->second].locations;
}

}  // namespace heddle::engine
