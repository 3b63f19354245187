#include "engine/atomicity/gaps.hpp"

#include <algorithm>

namespace heddle::engine {
namespace {

constexpr u64 pair_of(u32 a, u32 b) { return u64{a} << 32 | b; }

}  // namespace

Gap Gaps::number_of(Moments moments) {
  auto [found, is_new] = numbers_.try_emplace(std::move(moments), static_cast<Gap>(moments_.size()));
  if (is_new) moments_.push_back(found->first);
  return found->second;
}

Gap Gaps::with(Gap gap, Lockset held) {
  if (gap == open_ || held == 0) return open_;
  auto [found, is_new] = steps_.try_emplace(pair_of(gap, held));
  if (is_new) {
    Moments moments = moments_[gap];
    const bool known = std::any_of(moments.begin(), moments.end(),
                                   [&](Lockset fewer) { return locksets_.subset(fewer, held); });
    if (!known) {
      std::erase_if(moments, [&](Lockset more) { return locksets_.subset(held, more); });
      moments.insert(std::upper_bound(moments.begin(), moments.end(), held), held);
    }
    found->second = number_of(std::move(moments));
  }
  return found->second;
}

bool Gaps::lets_in(Gap gap, Lockset held) {
  if (gap == open_ || held == 0) return true;
  auto [found, is_new] = lets_in_.try_emplace(pair_of(gap, held));
  if (is_new)
    found->second = std::any_of(moments_[gap].begin(), moments_[gap].end(),
                                [&](Lockset moment) { return !locksets_.exclude_each_other(moment, held); });
  return found->second;
}

bool Gaps::at_least(Gap a, Gap b) {
  if (a == b || a == open_) return true;
  auto [found, is_new] = at_least_.try_emplace(pair_of(a, b));
  if (is_new)
    found->second = std::all_of(moments_[b].begin(), moments_[b].end(), [&](Lockset more) {
      return std::any_of(moments_[a].begin(), moments_[a].end(),
                         [&](Lockset fewer) { return locksets_.subset(fewer, more); });
    });
  return found->second;
}

}  // namespace heddle::engine
