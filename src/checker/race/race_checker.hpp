// The race checker: checks one access against the kept accesses of its eight bytes, and decides which to
// remember.
//
// Follows SPD3 (Raman et al. 2012; section 2 of Yoga & Nagarakatte 2016), which keeps one writer and two readers a
// location. That is enough only for series-parallel programs without locks, so here a cell keeps as many accesses as
// the order needs, and forgets one only by proof that it can no longer matter. For a future access w, "E matters"
// means: w races with E and with nothing else that is kept.
//
//  (1) E comes before the new access N, and N is at least as strong (bytes, write, plain, no more locks, not bound to a
//      thread). If w is parallel to E it is parallel to N: N -> w would give E -> w, and w -> N is impossible, as w
//      comes later.
//  (2) Y is *quiet* (its task has ended, and from Y's strand on its clock left it by joins only), as strong as X, and
//      the join that carries Y on carries X on, too, or did so earlier (stands_for.hpp). If w is parallel to X, it does
//      not come after that join, so w is parallel to Y, too. This keeps a million tasks that read one variable at one
//      entry, and a tree of them at one or two entries a level.
//
// Both hold in each of the two orders, structure and full, on its own. An access is forgotten when it is superfluous
// in both: then predicted and certain races are both found. The oracle test compares the verdicts with all pairs.
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
//   bool thread_bound(const Access& earlier, const Access& now);   ordered by running on one thread, to which both
//                                                                  are bound
//   StandsFrom stands_from(const Access& y);   race::stands_from of its task for the current one; may be cached
//   StandsFrom stands_from(const Access& y, const Access& x);   for the task of x
//   u32& position(const AccessList&, const Access& now);   a guess where the task's own entry is: any value will do
//   void race(const Access& earlier, const Access& now, Evidence);
template <class Context>
class RaceChecker {
 public:
  // REQUIRES: the caller holds the cell. Takes over its reference, and leaves one to what it becomes.
  static void check(Cell& cell, const Access& now, Context& context) {
    if (!check_few(cell, now, context) && !check_again(cell, now, context)) check_all(cell, now, context);
  }

  // The usual cell has one or two accesses, and races with none: what judge() would do with them, in few steps; in
  // very few if the last one comes before and is not stronger, after a write at the most. Returns false, and has done
  // nothing, when there is more to it.
  static bool check_few(Cell& cell, const Access& made, Context& context) {
    const Access& first = cell.first;
    auto replaces = [&](const Access& x) {
      return x.lockset() == made.lockset() && as_strong(made.what, x.what & kDemand) && !made.claims() &&
             comes_before(x, made, context);
    };
    if (cell.second.empty()) {
      if (first.empty() || replaces(first)) {
        cell.first = made;
        return true;
      }
      if (first.write() && !made.write() && comes_before(first, made, context)) {
        cell.second = made;
        return true;
      }
    } else if (first.write() && !made.write() && !cell.has_list() && replaces(cell.second) &&
               comes_before(first, made, context)) {
      cell.second = made;
      return true;
    }
    if (cell.has_list()) return false;
    // It does again what it did before, beside another task that it does not race with: that is all.
    if (!cell.second.empty() && (first.task() == made.task()) != (cell.second.task() == made.task())) {
      const bool is_first = first.task() == made.task();
      Access& own = is_first ? cell.first : cell.second;
      const Access& other = is_first ? cell.second : cell.first;
      if (own.lockset() == made.lockset() && as_strong(made.what, own.what & kDemand) && !made.claims()) {
        const bool before = context.before_by_structure(other);
        if (before && covers(made, other, context)) {
          cell = {made, {}};
          return true;
        }
        if (before || !conflict(other, made) || context.share_a_lock(other.lockset(), made.lockset())) {
          own = made;
          return true;
        }
      }
    }
    const Access earlier[2] = {cell.first, cell.second};
    Access now = made;
    bool keep[2] = {}, doubtful[2] = {};
    for (u32 i = 0; i < 2; ++i) {
      keep[i] = !earlier[i].empty() && !same_but_for_bytes(earlier[i], made);
      if (!keep[i]) now.what |= earlier[i].what;
    }
    bool superfluous_by_structure = false, superfluous_in_full = false;
    for (u32 i = 0; i < 2; ++i) {
      if (!keep[i]) continue;
      const Access& e = earlier[i];
      if (context.obsolete(e)) {
        keep[i] = false;
      } else if (comes_before(e, now, context)) {
        keep[i] = !covers(now, e, context);
      } else {
        if (conflict(e, made) && !context.share_a_lock(e.lockset(), made.lockset())) return false;
        if (covers(e, now, context)) {
          StandsFrom from = context.stands_from(e);
          superfluous_by_structure |= e.index() >= from.by_structure;
          superfluous_in_full |= e.index() >= from.in_full;
        }
        doubtful[i] = covers(now, e, context) && context.before_in_full(e);
      }
    }
    if (keep[0] && keep[1]) {
      if (doubtful[0] && stands_by_structure(earlier[1], earlier[0], context))
        keep[0] = false;
      else if (doubtful[1] && stands_by_structure(earlier[0], earlier[1], context))
        keep[1] = false;
    }
    const bool add = !superfluous_by_structure || !superfluous_in_full;
    if (add && keep[0] && keep[1]) return false;  // three need a list
    const Access one = keep[0] ? earlier[0] : keep[1] ? earlier[1] : add ? now : Access{};
    const Access two = keep[0] && keep[1] ? earlier[1] : add && (keep[0] || keep[1]) ? now : Access{};
    cell = {one, two};
    return true;
  }

  // A list that is not shared, where the task does again what it did in an earlier strand, so that its old entry makes
  // room for the new one; or where all that is kept comes before, and there is room. Then no entry need be found
  // superfluous because of another one. Does the rest of what judge() would do, in place. Returns false, and has done
  // nothing, when there is more to it.
  static bool check_again(Cell& cell, const Access& made, Context& context) {
    if (!cell.has_own_list() || made.claims()) return false;
    AccessList& list = *cell.list();
    // Tasks that are no more leave entries for which others stand: those are looked for before there are many.
    constexpr u32 kFew = 4;
    if (list.count > kFew) return repeat_in_long_list(cell, made, context);
    Access now = made;
    u32 before = 0;  // a bit for each that comes before
    for (u32 i = 0; i < list.count; ++i) {
      const Access& earlier = list.at[i];
      if (earlier.task() == made.task()) {
        if (same_but_for_bytes(earlier, made)) now.what |= earlier.what;
      } else if (!context.before_by_structure(earlier)) {
        if (conflict(earlier, made) && !context.share_a_lock(earlier.lockset(), made.lockset())) return false;
        continue;
      }
      before |= 1u << i;
    }
    u32 gone = 0;
    bool again = count_bits(before) == list.count;
    for (u32 left = before; left; left &= left - 1) {
      const Access& earlier = list.at[__builtin_ctz(left)];
      if (!covers(now, earlier, context)) continue;
      gone |= left & -left;
      again |= earlier.task() == made.task();
    }
    const u32 stays = list.count - count_bits(gone);
    if (!again || stays == list.room) return false;
    u32 count = 0;
    for (u32 i = 0; i < list.count; ++i)
      if (!(gone >> i & 1)) list.at[count++] = list.at[i];
    if (stays < 2) {
      const Cell few = stays ? Cell{list.at[0], now} : Cell{now, {}};
      release(cell);
      cell = few;
      return true;
    }
    list.count = count;
    add(list, now);
    cell.first = now;
    return true;
  }

  // The second half of check: for any cell.
  static void check_all(Cell& cell, const Access& now, Context& context) {
    const u32 before = cell.count();
    constexpr u32 kUsual = 15;
    alignas(Access) char few[(kUsual + 1) * sizeof(Access)];  // not worth clearing
    Access* kept = reinterpret_cast<Access*>(few);
    const usize bytes = (before + 1) * sizeof(Access);
    if (before > kUsual) kept = static_cast<Access*>(memory::allocate(bytes));
    for (u32 i = 0; i < before; ++i) kept[i] = cell.at(i);
    u32 count = before, compact_at = cell.has_list() ? cell.list()->compact_at : kShort;
    const bool full = count >= compact_at;
    if (full) {
      count = compact(kept, count, context);
      compact_at = count < kShort / 2 ? kShort : 2 * count;
    }
    // Long lists are what many live threads leave: looking for superfluous entries is put off until there are twice
    // as many.
    count = judge(kept, count, now, context, full || count < kShort);
    become(cell, kept, count, compact_at);
    if (before > kUsual) memory::release(kept, bytes);
  }

  // The end of the memory's life: checked like an access, but the caller clears the cell.
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
    if (count > 2 && cell.has_own_list() && count <= cell.list()->room) {
      fill(cell, *cell.list(), kept, count, compact_at);
      return;
    }
    release(cell);
    cell = {count > 0 ? kept[0] : Access{}, count > 1 ? kept[1] : Access{}};
    if (count <= 2) return;
    fill(cell, *make_list(count | 1), kept, count, compact_at);
  }
  static void fill(Cell& cell, AccessList& list, const Access* kept, u32 count, u32 compact_at) {
    list.count = count;
    list.compact_at = compact_at;
    u32 filled = 0;
    for (const bool writes : {true, false})
      for (u32 i = 0; i < count; ++i)
        if (kept[i].write() == writes) list.at[filled++] = kept[i];
    cell = {kept[count - 1], {reinterpret_cast<u64>(&list), 0}};
  }
  static void add(AccessList& list, const Access& added) {
    Access* at = &list.at[list.count++];
    if (added.write())
      for (; at != list.at && !at[-1].write(); --at) *at = at[-1];
    *at = added;
  }

  // Data that is read under many locks, as the table that has them, has an entry for each and each task. The task's own
  // one makes room for the new one, if that is as strong and under the same locks; the others are compared with only if
  // they conflict.
  static bool repeat_in_long_list(Cell& cell, const Access& made, Context& context) {
    AccessList& list = *cell.list();
    const auto is_earlier = [&](const Access& x) {
      return x.task() == made.task() && x.lockset() == made.lockset() && x.write() == made.write() &&
             as_strong(made.what, x.what & kDemand);
    };
    u32& position = context.position(list, made);
    if (position >= list.count || !is_earlier(list.at[position])) {
      position = 0;
      while (position < list.count && !is_earlier(list.at[position])) ++position;
      if (position == list.count) return false;
    }
    for (u32 i = 0; i < list.count && (made.write() || list.at[i].write()); ++i) {
      const Access& other = list.at[i];
      if (other.task() != made.task() && conflict(other, made) && !context.before_by_structure(other) &&
          !context.share_a_lock(other.lockset(), made.lockset()))
        return false;
    }
    list.at[position] = made;
    cell.first = made;
    return true;
  }

  static bool comes_before(const Access& earlier, const Access& now, Context& context) {
    return earlier.task() == now.task() || context.before_by_structure(earlier);
  }

  // One strand, one place in the program, one strength: a walk over bytes leaves one entry, not eight.
  static bool same_but_for_bytes(const Access& a, const Access& b) {
    return a.strand == b.strand && ((a.what ^ b.what) & ~(u64{0xff} << kBytesShift)) == 0;
  }

  // Whatever conflicts with y conflicts with x, and whatever lock or thread keeps it from racing with x keeps it from
  // y.
  static bool covers(const Access& x, const Access& y, Context& context) {
    return as_strong(x.what, y.what & kDemand) &&
           (x.lockset() == y.lockset() || context.subset(x.lockset(), y.lockset())) &&
           (!x.claims() || (!(x.claims() & ~y.claims()) && thread_of(x, context) == thread_of(y, context)));
  }
  static u32 thread_of(const Access& access, Context& context) {
    return context.find(access.task())->thread.load(std::memory_order_relaxed);
  }

  static bool stands_by_structure(const Access& y, const Access& x, Context& context) {
    return covers(y, x, context) && y.index() >= context.stands_from(y, x).by_structure;
  }

  // Reports the races of `now`, drops what is superfluous, adds `now` unless it is; returns the new count.
  static u32 judge(Access* kept, u32 count, Access now, Context& context, bool thorough = true) {
    // The made access is checked, but the whole walk is kept: before anything is found superfluous for part of it.
    const Access made = now;
    for (u32 i = 0; i < count; ++i)
      if (same_but_for_bytes(kept[i], now)) {
        now.what |= kept[i].what;
        kept[i] = kept[--count];
        break;  // there is never a second
      }
    bool superfluous_by_structure = false, superfluous_in_full = false;
    // Superfluous in the full order because of `now`, but perhaps not by structure: one of those, and how many.
    u32 candidate = 0, doubtful = 0;
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
      if (covers(now, earlier, context) && context.before_in_full(earlier)) {
        // Of tasks that come one after the other under one lock, any two stand for each other by structure: comparing
        // each with one other is enough to keep few for each lockset.
        const bool stands = doubtful && stands_by_structure(kept[candidate], earlier, context);
        if (stands || (doubtful && stands_by_structure(earlier, kept[candidate], context))) {
          if (!stands) kept[candidate] = earlier;
          kept[i] = kept[--count];
          continue;
        }
        candidate = i;
        ++doubtful;
      }
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
        for (u32 j = 0; j < count && !drop; ++j) drop = j != i && stands_by_structure(kept[j], x, context);
      }
      if (drop)
        kept[i] = kept[--count];
      else
        ++i;
    }
    return count;
  }

  // Rule (2) among the remembered: run when a list is full, so its square cost is paid once per doubling.
  static u32 compact(Access* kept, u32 count, Context& context) {
    for (u32 i = 0; i < count;) {
      bool by_structure = false, in_full = false;
      for (u32 j = 0; j < count && !(by_structure && in_full); ++j) {
        if (j == i || !covers(kept[j], kept[i], context)) continue;
        StandsFrom from = context.stands_from(kept[j], kept[i]);
        by_structure |= kept[j].index() >= from.by_structure;
        in_full |= from.stands_in_full(kept[j].index(), kept[i].index());
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
