#include "runtime/shadow/repeats.hpp"

#include "base/check.hpp"

namespace heddle {

Repeats::Repeats() : table_(static_cast<Repeated*>(memory::map(kMost * sizeof(Repeated)))) {}

AccessKey Repeats::after(AccessKey so_far, AccessKey now) {
  Repeated all = get(so_far);
  const bool writes = now & 1;
  if (all.again && (!writes || all.rewrite)) return so_far;  // it changes nothing
  if (!all.again) all.again = now;
  if (writes) (all.write ? all.rewrite : all.write) = now;
  SpinGuard guard(lock_);
  u32& number = known_[u64{so_far} << 32 | now];
  if (!number) {
    HEDDLE_CHECK(count_ < kMost);
    table_[count_] = all;
    number = (kFirst + count_++) << 1 | u32{all.write != 0};
  }
  return number;
}

}  // namespace heddle
