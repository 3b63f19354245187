// The race checker: judges one access against the remembered accesses of its eight bytes, and decides which to remember.
//
// Follows SPD3 (Raman et al. 2012; section 2 of Yoga & Nagarakatte 2016), which keeps one writer and two readers a location. That is
// enough only for series-parallel programs without locks, so here a cell keeps as many accesses as the order needs, and forgets one only
// by proof that it can no longer matter. For a future access w, "E matters" means: w races with E and with nothing else that is kept.
//
//  (1) E comes before the new access N, and N is at least as strong (bytes, write, plain, no more locks, not bound to a
//      thread). If w is parallel to E it is parallel to N: N -> w would give E -> w, and w -> N is impossible, as w comes later.
//  (2) Y is *quiet* (its task has ended and its knowledge never left it except by joins), as strong as X, and both wait for
//      the same join. If w is parallel to X, the join has not happened for w, so w is parallel to Y too. This keeps a
//      million tasks that read one variable at one entry.
//
// Both hold in each of the two orders, structure and full, on its own. An access is forgotten when it is superfluous in both:
// then predicted and certain races are both found. The oracle test compares the verdicts with all pairs.
//
// Cost: one order query (cached by the context) for each remembered access of another task.
#pragma once

#include "base/memory.hpp"
#include "checker/race/access.hpp"
#include "checker/race/stands_for.hpp"
#include "order/structure.hpp"

namespace heddle::race {

enum class Evidence : u8 { kCertain, kPredicted };

// What the checker needs to know about the strand that makes the access.
//   const order::Task& task();
//   order::Task* find(TaskId);
//   bool obsolete(const Access&);              known to come before everything that is still to come
//   bool before_by_structure(const Access&);   is it before the current strand?
//   bool before_in_full(const Access&);
//   bool share_a_lock(u32 lockset, u32 lockset);
//   bool subset(u32 lockset, u32 lockset);
//   bool thread_bound(const Access& earlier, const Access& now);   ordered by running on one thread, to which both are bound
//   StandsFrom stands_from(const Access&);   race::stands_from of its task for the current one; may be cached
//   void race(const Access& earlier, const Access& now, Evidence);
template <class Context>
class RaceChecker {
 public:
  // REQUIRES: the caller holds the cell. Takes over its reference, and leaves one to what it becomes.
  static void check(Cell& cell, const Access& now, Context& context) {
    if (!cell.has_list() && only_order_decides(cell, now, context)) return;
    const u32 before = cell.count();
    constexpr u32 kUsual = 15;
    Access few[kUsual + 1];
    Access* kept = few;
    const usize bytes = (before + 1) * sizeof(Access);
    if (before > kUsual) kept = static_cast<Access*>(memory::allocate(bytes));
    for (u32 i = 0; i < before; ++i) kept[i] = cell.at(i);
    u32 count = before, compact_at = cell.has_list() ? cell.list()->compact_at : kShort;
    const bool full = count >= compact_at;
    if (full) {
      count = compact(kept, count, context);
      compact_at = count < kShort / 2 ? kShort : 2 * count;
    }
    // Long lists are what many live threads leave: looking for superfluous entries is put off until there are twice as many.
    count = judge(kept, count, now, context, full || count < kShort);
    become(cell, kept, count, compact_at);
    if (kept != few) memory::release(kept, bytes);
  }

  // The end of the memory's life: judged like an access, but the cell is the caller's to clear.
  static void check_last(const Cell& cell, const Access& now, Context& context) {
    auto judge_one = [&](const Access& earlier) {
      if (earlier.empty() || context.obsolete(earlier) || earlier.task() == now.task() ||
          context.before_by_structure(earlier))
        return;
      if (conflict(earlier, now) && !context.share_a_lock(earlier.lockset(), now.lockset()) &&
          !context.thread_bound(earlier, now)) {
        context.race(earlier, now,
                     context.before_in_full(earlier) ? Evidence::kPredicted : Evidence::kCertain);
      }
    };
    for (u32 i = 0; i < cell.count(); ++i) judge_one(cell.at(i));
  }

 private:
  static constexpr u32 kShort = 8;

  static void become(Cell& cell, const Access* kept, u32 count, u32 compact_at) {
    if (cell.has_list() && cell.list()->count == count && cell.list()->compact_at == compact_at) {
      bool same = true;
      for (u32 i = 0; i < count && same; ++i)
        same = kept[i].strand == cell.list()->at[i].strand && kept[i].what == cell.list()->at[i].what;
      if (same) return;
    }
    release(cell);
    cell = {count > 0 ? kept[0] : Access{}, count > 1 ? kept[1] : Access{}};
    if (count <= 2) return;
    AccessList* list = make_list(count);
    list->compact_at = compact_at;
    for (u32 i = 0; i < count; ++i) list->at[i] = kept[i];
    cell = {kept[count - 1], {reinterpret_cast<u64>(list), 0}};
  }

  // The usual cell has one or two accesses, all of which come before `now`: what judge() would do with them, in few steps.
  // Returns false, and has done nothing, when there is more to it. REQUIRES: no list.
  static bool only_order_decides(Cell& cell, const Access& now, Context& context) {
    const Access first = cell.first, second = cell.second;
    Access whole = now;  // with the bytes that the strand has already touched from the same place
    if (same_but_for_bytes(first, now))
      whole.what |= first.what;
    else if (same_but_for_bytes(second, now))
      whole.what |= second.what;
    Fate of_first = first.empty() ? kDrop : fate(first, whole, context);
    if (of_first == kJudge) return false;
    if (second.empty()) {
      (of_first == kKeep ? cell.second : cell.first) = whole;
      return true;
    }
    Fate of_second = fate(second, whole, context);
    if (of_second == kJudge || (of_first == kKeep && of_second == kKeep)) return false;
    if (of_first == kKeep) {
      cell.second = whole;
    } else {
      if (of_second == kDrop) cell.second = {};
      cell.first = whole;
    }
    return true;
  }
  enum Fate { kDrop, kKeep, kJudge };
  static HEDDLE_INLINE Fate fate(const Access& earlier, const Access& now, Context& context) {
    if (context.obsolete(earlier)) return kDrop;
    if (earlier.strand == now.strand) return covers(now, earlier, context) ? kDrop : kJudge;
    if (earlier.task() != now.task() && !context.before_by_structure(earlier)) return kJudge;
    return covers(now, earlier, context) ? kDrop : kKeep;
  }

  // One strand, one place in the program, one strength: a walk over bytes leaves one entry, not eight.
  static bool same_but_for_bytes(const Access& a, const Access& b) {
    return a.strand == b.strand && ((a.what ^ b.what) & ~(u64{0xff} << kBytesShift)) == 0;
  }

  // Whatever conflicts with y conflicts with x, and whatever lock or thread keeps it from racing with x keeps it from y.
  static bool covers(const Access& x, const Access& y, Context& context) {
    return as_strong(x.what, y.what & kDemand) &&
           (x.lockset() == y.lockset() || context.subset(x.lockset(), y.lockset())) &&
           (!x.bound() || (y.bound() && thread_of(x, context) == thread_of(y, context)));
  }
  static u32 thread_of(const Access& access, Context& context) {
    return context.find(access.task())->thread.load(std::memory_order_relaxed);
  }

  // Reports the races of `now`, drops what is superfluous, adds `now` unless it is; returns the new count.
  static u32 judge(Access* kept, u32 count, Access now, Context& context, bool thorough = true) {
    // Judged is what was made, but remembered is the whole walk: before anything is found superfluous for part of it.
    const Access made = now;
    for (u32 i = 0; i < count; ++i)
      if (same_but_for_bytes(kept[i], now)) {
        now.what |= kept[i].what;
        kept[i] = kept[--count];
        break;  // there is never a second
      }
    bool superfluous_by_structure = false, superfluous_in_full = false;
    u32 doubtful = 0;  // superfluous in the full order because of `now`, but perhaps not by structure
    for (u32 i = 0; i < count;) {
      const Access earlier = kept[i];
      if (context.obsolete(earlier)) {
        kept[i] = kept[--count];
        continue;
      }
      bool same_task = earlier.task() == now.task();
      if (same_task || context.before_by_structure(earlier)) {
        if (covers(now, earlier, context)) {
          kept[i] = kept[--count];
          continue;
        }
        ++i;
        continue;
      }
      if (conflict(earlier, made) && !context.share_a_lock(earlier.lockset(), made.lockset()) &&
          !context.thread_bound(earlier, made)) {
        context.race(earlier, made,
                     context.before_in_full(earlier) ? Evidence::kPredicted : Evidence::kCertain);
      }
      if (covers(earlier, now, context)) {
        StandsFrom from = context.stands_from(earlier);
        superfluous_by_structure |= earlier.index() >= from.by_structure;
        superfluous_in_full |= earlier.index() >= from.in_full;
      }
      if (covers(now, earlier, context) && context.before_in_full(earlier)) ++doubtful;
      ++i;
    }
    if (doubtful && thorough) count = drop_doubtful(kept, count, now, context);
    if (!superfluous_by_structure || !superfluous_in_full) kept[count++] = now;
    return count;
  }

  static u32 drop_doubtful(Access* kept, u32 count, const Access& now, Context& context) {
    for (u32 i = 0; i < count;) {
      const Access& x = kept[i];
      bool drop = false;
      if (x.task() != now.task() && covers(now, x, context) && context.before_in_full(x)) {
        for (u32 j = 0; j < count && !drop; ++j)
          drop = j != i && covers(kept[j], x, context) &&
                 kept[j].index() >= stands(kept[j], x, context).by_structure;
      }
      if (drop)
        kept[i] = kept[--count];
      else
        ++i;
    }
    return count;
  }

  static StandsFrom stands(const Access& y, const Access& x, Context& context) {
    return race::stands_from(*context.find(y.task()), *context.find(x.task()));
  }

  // Rule (2) among the remembered: run when a list is full, so its square cost is paid once per doubling.
  static u32 compact(Access* kept, u32 count, Context& context) {
    for (u32 i = 0; i < count;) {
      bool by_structure = false, in_full = false;
      for (u32 j = 0; j < count && !(by_structure && in_full); ++j) {
        if (j == i || !covers(kept[j], kept[i], context)) continue;
        StandsFrom from = stands(kept[j], kept[i], context);
        by_structure |= kept[j].index() >= from.by_structure;
        in_full |= kept[j].index() >= from.in_full;
      }
      if (by_structure && in_full)
        kept[i] = kept[--count];
      else
        ++i;
    }
    return count;
  }
};

}  // namespace heddle::race
