#include "explore/footprint.hpp"

#include <algorithm>
#include <tuple>

namespace heddle::explore {

bool exclude(KeyMode a, KeyMode b) {
  auto reads = [](KeyMode mode) { return mode == KeyMode::kReadPulse || mode == KeyMode::kReadChange; };
  auto pulses = [](KeyMode mode) { return mode == KeyMode::kReadPulse || mode == KeyMode::kWritePulse; };
  return !(reads(a) && reads(b)) && !(pulses(a) && pulses(b));
}

bool exclude(const std::vector<Held>& a, const std::vector<Held>& b) {
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (i->lock == j->lock && (i->write || j->write)) return true;
    (i->lock < j->lock ? i : j)++;
  }
  return false;
}

bool dependent(const Footprint& a, const Footprint& b) {
  auto place = [](const Key& key) { return std::tuple(key.kind, key.object); };
  for (auto i = a.keys.begin(), j = b.keys.begin(); i != a.keys.end() && j != b.keys.end();) {
    if (place(*i) == place(*j)) {
      if (exclude(i->mode, j->mode)) return true;
      ++i, ++j;
    } else {
      (place(*i) < place(*j) ? i : j)++;
    }
  }
  if (a.touches.empty() || b.touches.empty()) return false;
  bool locked = exclude(a.locks, b.locks);
  // Touches are sorted by their beginnings, and short: for a touch of a, only those of b that begin within the
  // longest length before it can overlap.
  u64 longest = 0;
  for (const Touch& touch : b.touches) longest = std::max(longest, touch.end - touch.begin);
  for (const Touch& touch : a.touches) {
    u64 from = touch.begin > longest ? touch.begin - longest : 0;
    auto other = std::lower_bound(b.touches.begin(), b.touches.end(), from,
                                  [](const Touch& t, u64 address) { return t.begin < address; });
    for (; other != b.touches.end() && other->begin < touch.end; ++other)
      if (other->end > touch.begin && (touch.write || other->write) &&
          (locked || (touch.atomic && other->atomic)))
        return true;
  }
  return false;
}

std::vector<Held> locks_of(const Step& step, bool with_looks) {
  std::vector<Held> locks = step.held;
  if (with_looks) locks.insert(locks.end(), step.looks.held.begin(), step.looks.held.end());
  locks.insert(locks.end(), step.gained.begin(), step.gained.end());
  locks.insert(locks.end(), step.pulsed.begin(), step.pulsed.end());
  std::sort(locks.begin(), locks.end(), [](const Held& a, const Held& b) {
    return std::pair(a.lock, !a.write) < std::pair(b.lock, !b.write);
  });
  auto same = [](const Held& a, const Held& b) { return a.lock == b.lock; };
  locks.erase(std::unique(locks.begin(), locks.end(), same), locks.end());
  return locks;
}

}  // namespace heddle::explore
