// The current task at a location of annotated data, as the rules of atomicity see it (checker/atomicity/pairs.hpp).
#pragma once

#include "runtime/annotated/flags.hpp"
#include "runtime/annotated/memory.hpp"
#include "runtime/annotated/steps.hpp"
#include "runtime/races/strand_context.hpp"

namespace heddle::annotated {

using atomicity::First;
using atomicity::Location;
using atomicity::Pair;
using atomicity::Single;
using race::Access;

inline Page& page_of(Block& block, uptr base) {
  return *reinterpret_cast<Page*>(&block - ((base & (kPageSize - 1)) >> kBlockShift));
}

constexpr u64 kRegion = u64{1} << 63;

// The current task, at a location: bytes of one line, or a group.
class Now {
 public:
  Now(ThreadState& thread, Block* block, uptr base, Group* group, const Access& access)
      : thread_(thread), block_(block), base_(base), group_(group), access_(access) {}

  bool in_region = false;

  u32 task() const { return context().task->id; }
  u64 step() const { return in_region ? state().region | kRegion : state().number; }
  bool over(const First& first) const {
    if (first.task != task()) return rt().order.find(first.task)->ended.load(std::memory_order_acquire);
    const Step& now = state();
    return first.step & kRegion
               ? (!now.in_region() && !g_reacquired_locks) || first.step != (now.region | kRegion)
               : first.step != now.number;
  }
  bool before(u64 epoch) { return strand().before_by_structure({epoch, 0}); }
  // Of data without annotations: is it a lock that was reacquired, and that the intruder acquires in between?
  bool inferred(u64 bytes) const {
    if (HEDDLE_LIKELY(!g_reacquired_locks) || group_) return false;
    const Line* line = find_line(page_of(*block_, base_), base_);
    return !line || !(line->single & bytes);
  }
  static bool reacquired(const Pair& pair, const Single& single) {
    const Locksets& locksets = rt().locksets;
    return locksets.share_a_lock(pair.first.locks, pair.last.locks) &&
           locksets.share_a_lock(pair.first.locks, single.access.locks);
  }

  // An access that only intrudes may be of a task that has no step of its own yet.
  bool acquired_there(const Single& single) const {
    if (!context().step) return false;
    for (const AcquiredWrite& acquired : state().acquired_writes)
      if (acquired.location == location() && acquired.write.epoch == single.epoch) return true;
    return false;
  }

  // Or kept apart otherwise.
  bool bound_together(const Pair& pair, const Single& single) {
    if (inferred(pair.bytes & single.bytes) && !reacquired(pair, single)) return true;
    const StrandContext::Racing racing = racing_granules(pair, single, pair.bytes & single.bytes);
    return !racing.surely && !racing.perhaps;
  }
  const atomicity::Moments& moments() const { return state().moments; }
  Gaps& gaps() const { return all_gaps(); }
  bool subset(u32 a, u32 b) const { return rt().locksets.subset(a, b); }

  // See race/stands_for.hpp. Whether memory is a thread's own depends on the thread, and on what the task is.
  bool stands_for(u64 y, u64 x, bool in_full) {
    const Access of_y{y, 0}, of_x{x, 0};
    const order::Task &task_y = *rt().order.find(of_y.task()), &task_x = *rt().order.find(of_x.task());
    if (task_y.kind != task_x.kind ||
        task_y.thread.load(std::memory_order_relaxed) != task_x.thread.load(std::memory_order_relaxed))
      return false;
    const race::StandsFrom from = strand().stands_from(of_y, of_x);
    return of_y.index() >= from.by_structure && (in_full || from.stands_in_full(of_y.index(), of_x.index()));
  }
  bool before_in_full(u64 epoch) { return strand().before_in_full({epoch, 0}); }

  // The shadow has forgotten what the step has acquired of and has covered by an access of its own.
  template <class Visit>
  void for_each_single(u64 bytes, Visit&& visit) {
    for_each_remembered(bytes, visit);
    for (const AcquiredWrite& acquired : state().acquired_writes) {
      if (acquired.location != location()) continue;
      Single single = acquired.write;
      if (single.bytes &= bytes) visit(single);
    }
  }
  template <class Visit>
  void for_each_remembered(u64 bytes, Visit&& visit) {
    if (!group_) return for_each_in_line(*block_, base_, bytes, visit);
    for (const Range& member : group_->members)
      for_each_line(member.address, member.address + member.size, [&](uptr base, u64 part) {
        Block& block = rt().shadow.page(base)->block(base);
        HeldBlock guard(block);
        for_each_in_line(block, base, part, [&](Single single) {
          single.bytes = 1;
          visit(single);
        });
      });
  }

  void violation(const Pair& pair, const Single& single, u64 bytes) {
    const u64 earlier = pair.epoch == access_.strand ? single.epoch : pair.epoch;
    // The order of the critical sections of one lock is the schedule's: no hand-over keeps them apart.
    const bool one_lock = rt().locksets.share_a_lock(single.access.locks, pair.first.locks) ||
                          rt().locksets.share_a_lock(single.access.locks, pair.last.locks);
    const bool certain = !inferred(bytes) && (one_lock || !strand().before_in_full({earlier, 0})) &&
                         racing_granules(pair, single, bytes).surely;
    const uptr address =
        group_ ? group_->members[0].address : base_ + static_cast<u32>(__builtin_ctzll(bytes));
    raw_log::Violation found{address & ~uptr{7},
                             access_of(pair.epoch, pair.first, pair.bound_to, address, bytes),
                             access_of(single.epoch, single.access, single.bound_to, address, bytes),
                             access_of(pair.epoch, pair.last, pair.bound_to, address, bytes),
                             certain ? race::Evidence::kCertain : race::Evidence::kPredicted,
                             nullptr,
                             0};
    Vector<uptr> members;
    if (group_)
      for (const Range& member : group_->members) members.push_back(member.address);
    found.group = members.begin();
    found.group_size = members.size();
    raw_log::violation(found);
  }

 private:
  StrandContext::Racing racing_granules(const Pair& pair, const Single& single, u64 bytes) {
    const Access last = access_of(pair.epoch, pair.last, pair.bound_to),
                 other = access_of(single.epoch, single.access, single.bound_to);
    StrandContext context = strand();
    context.granules = granule_of(bytes);
    return last.task() == task() ? context.racing(other, last) : context.racing(last, other);
  }
  TaskContext& context() const { return *thread_.context; }
  const Step& state() const { return *context().step; }
  const Location* location() const {
    return group_ ? &group_->location : &find_line(page_of(*block_, base_), base_)->location;
  }
  StrandContext strand() { return StrandContext(thread_, base_ & ~(kBlockSize - 1)); }
  u32 granule_of(u64 bytes) const {
    const uptr address =
        group_ ? group_->members[0].address : base_ + static_cast<u32>(__builtin_ctzll(bytes));
    return 1u << (address >> 3 & 31);
  }

  static Access access_of(u64 strand, const atomicity::Made& made, u32 bound_to, uptr address = 0,
                          u64 bytes = 1) {
    // Those of the granule where the location begins; a group is shown by its first byte.
    const u64 here = bytes >> (static_cast<u32>(__builtin_ctzll(bytes)) & ~7u) & 0xff;
    const u8 mask = bytes == 1 ? static_cast<u8>(1u << (address & 7)) : static_cast<u8>(here);
    return {strand, race::what_word(made.site, made.locks, mask,
                                    (made.write ? u64{race::kWrite} : 0) |
                                        (made.atomic ? 0 : u64{race::kPlain}) | claims_of(bound_to))};
  }

  template <class Visit>
  void for_each_in_line(Block& block, uptr base, u64 bytes, Visit&& visit) {
    for (u32 granule = 0; granule < kLineSize / 8; ++granule) {
      if (!(bytes >> (granule * 8) & 0xff)) continue;
      const u32 in_block = static_cast<u32>(base >> 3 & 31) + granule;
      const race::Cell cell = block.remembers.at(in_block);
      for (u32 i = 0; i < cell.count(); ++i) {
        const Access& access = cell.at(i);
        const u64 touched = (u64{access.bytes()} << (granule * 8)) & bytes;
        if (access.free() || !touched) continue;
        const u32 thread =
            claimed_by(rt().order.find(access.task())->thread.load(std::memory_order_relaxed), access.what);
        const u32 word = 2 * in_block + (access.bytes() & 0x0f ? 0 : 1);
        visit(
            Single{touched,
                   access.strand,
                   {StrandContext::site_at(access, word), access.lockset(), access.write(), access.atomic()},
                   thread});
      }
    }
  }

  ThreadState& thread_;
  Block* block_;
  uptr base_;  // of the line
  Group* group_;
  const Access& access_;
};
using Rules = atomicity::Rules<Now>;

// What is remembered from before the last quiescent point happens before everything.
inline void forget_obsolete(Location& location, u32& quiescent_point) {
  const u32 last = rt().order.quiescent_points();
  if (quiescent_point == last) return;
  quiescent_point = last;
  location.pairs.clear(~u64{0});
  location.firsts.clear(~u64{0});
}

inline Single single_of(const ThreadState& thread, const Access& access, u64 bytes) {
  return {bytes,
          access.strand,
          {access.site(), access.lockset(), access.write(), access.atomic()},
          claimed_by(thread.number, access.what)};
}

inline void note_location(Page& page, uptr address, const Location& location) {
  if (location.pairs.count())
    page.annotations.load(std::memory_order_relaxed)->paired.fetch_or(block_bit(address));
}

}  // namespace heddle::annotated
