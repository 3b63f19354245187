// What could come between two accesses of one task: the sets of locks that it held in between, as a number.
//
// Another access fits in iff at some moment the task holds no lock that excludes it. So of all moments only those
// with the fewest locks count: a gap is the set of the minimal locksets. A lock that is released and taken again
// leaves a moment without it; that is what the paper's lock versions say. And it says more: with hand over hand
// locking (take a, take b, release a, ...) there is no moment at which both are free, and so an access that needs
// both stays out.
//
// `Locksets` numbers sets of locks, 0 the empty one, and answers subset(a, b) and exclude_each_other(a, b).
// Thread safety: any thread may call anything. Cost: questions about a gap and a lockset are answered once.
#pragma once

#include "base/hash_map.hpp"
#include "base/spin_lock.hpp"
#include "base/vector.hpp"

namespace heddle::atomicity {

using Gap = u32;
constexpr Gap kOpen = 0;  // at some moment no lock was held: nothing can be added to it

template <class Locksets>
class Gaps {
 public:
  explicit Gaps(Locksets& locksets) : locksets_(locksets) {
    const u32 nothing = 0;
    number_of(&nothing, 1);
  }
  ~Gaps() {
    for (Moments* moments : all_) memory::release(moments, bytes_of(moments->count));
  }

  Gap at(u32 held) {
    if (held == 0) return kOpen;
    SpinGuard guard(lock_);
    return number_of(&held, 1);
  }
  // The gap with one moment more.
  Gap with(Gap gap, u32 held) {
    if (gap == kOpen || held == 0) return kOpen;
    SpinGuard guard(lock_);
    if (const Gap* known = steps_.find(pair_of(gap, held))) return *known;
    const Gap wider = add(gap, held);
    steps_[pair_of(gap, held)] = wider;
    return wider;
  }
  // Is there a moment at which a task that holds these can access?
  bool lets_in(Gap gap, u32 held) {
    if (gap == kOpen || held == 0) return true;
    SpinGuard guard(lock_);
    if (const u8* known = lets_in_.find(pair_of(gap, held))) return *known;
    const bool answer = any(gap, [&](u32 moment) { return !locksets_.exclude_each_other(moment, held); });
    lets_in_[pair_of(gap, held)] = answer;
    return answer;
  }
  // Does a let in whatever b lets in?
  bool at_least(Gap a, Gap b) {
    if (a == b || a == kOpen) return true;
    SpinGuard guard(lock_);
    if (const u8* known = at_least_.find(pair_of(a, b))) return *known;
    const bool answer =
        !any(b, [&](u32 more) { return !any(a, [&](u32 fewer) { return locksets_.subset(fewer, more); }); });
    at_least_[pair_of(a, b)] = answer;
    return answer;
  }
  u32 count() const { return all_.size(); }

 private:
  struct Moments {
    u32 count;
    u32 at[];  // minimal sets, ascending
  };

  static constexpr u64 pair_of(u32 a, u32 b) { return u64{a} << 32 | b; }
  static constexpr usize bytes_of(u32 count) { return sizeof(Moments) + count * sizeof(u32); }

  template <class Holds>
  bool any(Gap gap, Holds&& holds) {
    const Moments& moments = *all_[gap];
    for (u32 i = 0; i < moments.count; ++i)
      if (holds(moments.at[i])) return true;
    return false;
  }

  Gap add(Gap gap, u32 held) {
    if (any(gap, [&](u32 fewer) { return locksets_.subset(fewer, held); })) return gap;
    Vector<u32> minimal;
    bool placed = false;
    const Moments& moments = *all_[gap];
    for (u32 i = 0; i < moments.count; ++i) {
      if (locksets_.subset(held, moments.at[i])) continue;
      if (!placed && held < moments.at[i]) {
        minimal.push_back(held);
        placed = true;
      }
      minimal.push_back(moments.at[i]);
    }
    if (!placed) minimal.push_back(held);
    return number_of(minimal.begin(), minimal.size());
  }

  Gap number_of(const u32* sets, u32 count) {
    u64 hash = count;
    for (u32 i = 0; i < count; ++i) hash = mix(hash * 31 + sets[i]);
    for (hash >>= 1;; hash = mix(hash) >> 1) {  // a clash of hashes probes on
      const Gap* known = numbers_.find(hash);
      if (!known) break;
      const Moments& moments = *all_[*known];
      if (moments.count == count && memcmp(moments.at, sets, count * sizeof(u32)) == 0) return *known;
    }
    auto* moments = static_cast<Moments*>(memory::allocate_unzeroed(bytes_of(count)));
    moments->count = count;
    memcpy(moments->at, sets, count * sizeof(u32));
    const Gap gap = all_.size();
    all_.push_back(moments);
    numbers_[hash] = gap;
    return gap;
  }

  Locksets& locksets_;
  SpinLock lock_;
  Vector<Moments*> all_;
  HashMap<Gap> numbers_, steps_;
  HashMap<u8> lets_in_, at_least_;
};

}  // namespace heddle::atomicity
