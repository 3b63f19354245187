// Atomicity violations of every schedule of an input (after Yoga & Nagarakatte 2016; docs/atomicity.md has the proof).
//
// Steps are atomic: what a task does between two constructs that make or await tasks. A step's two accesses to a
// location are broken by an access of a parallel step that conflicts with both, and that the locks let in between
// (gaps.hpp).
//
// For a location there are remembered
//
//   singles    possible intruders: reads and writes, with the locks held. They are the caller's: what a race checker
//              remembers will do
//   pairs      can be broken: by a write (any two accesses of a step), or by a read, too (two writes)
//   firsts     of the steps that are under way: the first access, and the first write
//
// The paper has four kinds of pairs. Two are enough, and only the widest of each step: a longer gap lets in whatever
// a shorter one does. A later entry replaces an earlier one that comes before it and is not stronger: who is parallel
// to the earlier one and still to come is parallel to the later one, too. Of tasks that have ended and wait for one
// join, one pair may stand for another (race/stands_for.hpp). So what is remembered grows with the width of the
// program at the location and with the number of its locksets, not with the number of accesses or of tasks.
//
// The paper's rules keep one pair of a kind, check only the first access of a step against pairs, and know nothing of
// an intruder's locks: each of these loses violations.
//
// `Context` is the task that makes an access just now:
//   u32 task(), u64 step()                its task, and its step (0: in none that is meant to be atomic)
//   bool over(const First&)               has the step of that first access ended? (No is always right.)
//   bool before(u64 epoch)                does the epoch come before what the task does now, by structure?
//   bool acquired_there(single)            ... for no other reason than an operation of its step on the location
//                                          itself?
//   bool bound_together(pair, single)     are they bound to one thread?
//   const Moments& moments(), gaps()      of its step
//   bool subset(u32 a, u32 b)             of locksets
//   void for_each_single(bytes, visit)    what is remembered of the location's singles
//   void violation(pair, single, bytes)
//   bool stands_for(y, x, in_full)        of epochs: is every access that is still to come, and parallel to x, parallel
//                                         to y: by structure, and in the full order, unless `in_full` says that
//                                         nothing depends on that? (Optional: without it nothing is forgotten for what
//                                         is parallel.)
//   bool before_in_full(u64 epoch)        with it
// Thread safety: the caller owns the location.
#pragma once

#include "base/entry_list.hpp"
#include "checker/atomicity/gaps.hpp"
#include "checker/atomicity/moments.hpp"

namespace heddle::atomicity {

// The intruder writes: R-W-R, R-W-W, W-W-R, W-W-W; or it reads between two writes: W-R-W. The other three patterns
// are serialisable.
constexpr bool unserialisable(bool first_writes, bool intruder_writes, bool last_writes) {
  return intruder_writes || (first_writes && last_writes);
}

// An access, as reports name it.
struct Made {
  u32 site = 0, locks = 0;
  bool write = false, atomic = false;

  bool operator==(const Made&) const = default;
};

struct Single {
  u64 bytes = 0;
  u64 epoch = 0;
  Made access;
  u32 bound_to = 0;  // the thread, or 0

  bool same_but_for_bytes(const Single& other) const {
    return epoch == other.epoch && access == other.access && bound_to == other.bound_to;
  }
};

struct Pair {
  u64 bytes = 0;
  u64 epoch = 0;  // of the last
  Made first, last;
  Gap gap = kOpen;
  u32 bound_to = 0;

  bool same_but_for_bytes(const Pair& other) const {
    return epoch == other.epoch && gap == other.gap && first == other.first && last == other.last &&
           bound_to == other.bound_to;
  }
  // Broken by a read, too.
  bool of_writes() const { return first.write && last.write; }
};

// The first access of a step, or its first write. The gap reaches up to the moment `seen` of the step.
struct First {
  u64 bytes = 0;
  u64 step = 0;
  Made access;
  u32 task = 0;
  u32 bound_to = 0;
  Gap gap = kOpen;
  u32 seen = 0;

  bool same_but_for_bytes(const First& other) const {
    return step == other.step && access == other.access && task == other.task && bound_to == other.bound_to &&
           gap == other.gap && seen == other.seen;
  }
};

// What is remembered of up to 64 bytes, but for singles.
struct Location {
  EntryList<Pair> pairs;
  EntryList<First> firsts;
  u64 broken = 0;  // bytes with a violation: not checked again

  void clear(u64 bytes) {
    pairs.clear(bytes);
    firsts.clear(bytes);
    broken &= ~bytes;
  }
  void destroy() {
    pairs.destroy();
    firsts.destroy();
  }
  usize memory() const { return pairs.memory() + firsts.memory(); }
};

template <class Context>
class Rules {
 public:
  // Does it come between the accesses of a pair?
  static void intrude(Location& location, const Single& now, Context& context) {
    for (const Pair& pair : location.pairs) meet(location, pair, now, pair.epoch, context);
  }

  // Does it end a pair, and can an intruder come between the two? Is it the first of its step? The answer says which of
  // its bytes are settled: until the step ends or gives a lock back, such an access to them changes nothing any more.
  static u64 advance(Location& location, const Single& now, Context& context) {
    u64 settled = 0;
    for (First* first = location.firsts.begin(); first != location.firsts.end();) {
      if (context.over(*first)) {
        location.firsts.remove(first);
        continue;
      }
      const u64 both = first->bytes & now.bytes & ~location.broken;
      if (first->task == context.task() && both) {
        context.moments().widen(first->gap, first->seen, context.gaps());
        const u32 bound_to = first->bound_to ? first->bound_to : now.bound_to;
        close(location, {both, now.epoch, first->access, now.access, first->gap, bound_to}, context);
        // A pair that ends here and begins with the first access is broken by whatever breaks one that ends with a
        // read. For one that ends with a write, the first write counts, too.
        if (first->bound_to == now.bound_to && (first->access.write || !now.access.write)) settled |= both;
      }
      ++first;
    }
    begin(location, now, context.moments().now(), context);
    return settled | (now.bytes & location.broken);
  }

  // An access of the step, of the moment `seen`: is it the first? Accesses that are bound to a thread and those that
  // are not have firsts of their own.
  static void begin(Location& location, const Single& now, u32 seen, Context& context) {
    u64 bytes = now.bytes & ~location.broken;
    for (const First& first : location.firsts)
      if (first.task == context.task() && first.bound_to == now.bound_to &&
          (first.access.write || !now.access.write))
        bytes &= ~first.bytes;
    if (!bytes) return;
    const First made{
        bytes, context.step(), now.access, context.task(), now.bound_to, context.gaps().at(now.access.locks),
        seen};
    for (First& first : location.firsts)
      if (first.task == made.task && first.same_but_for_bytes(made)) {
        first.bytes |= bytes;
        return;
      }
    location.firsts.add(made);
  }

  static void forget_over(Location& location, Context& context) {
    for (First* first = location.firsts.begin(); first != location.firsts.end();)
      if (context.over(*first))
        location.firsts.remove(first);
      else
        ++first;
  }

  // Adds an entry to those that are remembered, unless another one stands for it; those for which it stands are
  // forgotten.
  template <class Entry>
  static void remember(EntryList<Entry>& entries, Entry now, Context& context) {
    for (const Entry& entry : entries)
      if (entry.epoch == now.epoch && (entry.bytes & now.bytes) && stands_for(entry, now, context))
        now.bytes &= ~entry.bytes;
    if (!now.bytes) return;
    Entry* same = nullptr;  // a walk over an array leaves one entry
    for (Entry* earlier = entries.begin(); earlier != entries.end();) {
      const u64 both = earlier->bytes & now.bytes;
      if (both && stands_for(now, *earlier, context) && context.before(earlier->epoch))
        earlier->bytes &= ~both;
      if (earlier->bytes == 0) {
        entries.remove(earlier);
        continue;
      }
      if (earlier->same_but_for_bytes(now)) same = earlier;
      ++earlier;
    }
    if (same)
      same->bytes |= now.bytes;
    else
      entries.add(now);
  }

 private:
  // Can an intruder come between these two, now or later?
  static void close(Location& location, Pair pair, Context& context) {
    context.for_each_single(
        pair.bytes, [&](const Single& single) { meet(location, pair, single, single.epoch, context); });
    pair.bytes &= ~location.broken;
    if (!pair.bytes) return;
    remember(location.pairs, pair, context);
    if constexpr (requires { context.stands_for(pair.epoch, pair.epoch, true); })
      // A step that writes twice closes another pair before, which covers less.
      if (location.pairs.crowded(pair.of_writes() ? 1 : 2)) compact(location.pairs, pair.epoch, context);
  }

  // Many tasks that wait for one join leave a pair each, none of which comes before another: one may stand for the
  // others. Looked for whenever there are twice as many. Tasks under one lock stand for each other by structure alone,
  // since each releases to the next; but what comes before the current epoch in full has its pair in its place there.
  static void compact(EntryList<Pair>& pairs, u64 epoch, Context& context) {
    for (Pair* x = pairs.begin(); x != pairs.end();) {
      bool in_full = false;
      for (const Pair& now : pairs)
        in_full |= now.epoch == epoch && x->epoch != epoch && !(x->bytes & ~now.bytes) &&
                   serves_for(now, *x, context) && context.before_in_full(x->epoch);
      for (const Pair& y : pairs)
        if (&y != x && (y.bytes & x->bytes) && serves_for(y, *x, context) &&
            context.stands_for(y.epoch, x->epoch, in_full))
          x->bytes &= ~y.bytes;
      if (x->bytes == 0)
        pairs.remove(x);
      else
        ++x;
    }
    pairs.set_crowd();
  }
  // As `stands_for`, and with the same evidence.
  static bool serves_for(const Pair& a, const Pair& b, Context& context) {
    return a.first.locks == b.first.locks && a.last.locks == b.last.locks && stands_for(a, b, context);
  }

  // One of the two is made now, the other was in the epoch.
  static void meet(Location& location, const Pair& pair, const Single& single, u64 earlier,
                   Context& context) {
    const u64 both = pair.bytes & single.bytes & ~location.broken;
    if (!both || !unserialisable(pair.first.write, single.access.write, pair.last.write) ||
        (context.before(earlier) && !context.acquired_there(single)) ||
        !context.gaps().lets_in(pair.gap, single.access.locks) || context.bound_together(pair, single))
      return;
    location.broken |= both;
    context.violation(pair, single, both);
  }

  // Every future access that breaks b, or that b breaks, breaks a, or is broken by a.
  static bool stands_for(const Single& a, const Single& b, Context& context) {
    return (a.access.write || !b.access.write) && (a.bound_to == 0 || a.bound_to == b.bound_to) &&
           context.subset(a.access.locks, b.access.locks);
  }
  static bool stands_for(const Pair& a, const Pair& b, Context& context) {
    return (a.of_writes() || !b.of_writes()) && (a.bound_to == 0 || a.bound_to == b.bound_to) &&
           context.gaps().at_least(a.gap, b.gap);
  }
};

}  // namespace heddle::atomicity
