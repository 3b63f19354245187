// What the runtime knows about one OS thread, and about the task it is running.
//
// The access path reads `sets`, `filter` and `strand`; everything else is for the slow path. All fields belong to the
// thread itself. To be made by make_thread_state().
#pragma once

#include "base/code_class.hpp"
#include "base/grace.hpp"
#include "base/vector.hpp"
#include "base/zeroed_array.hpp"
#include "checker/deadlock/strand_now.hpp"
#include "checker/race/access.hpp"
#include "checker/race/stands_for.hpp"
#include "order/structure.hpp"
#include "runtime/shadow/access_sets.hpp"
#include "runtime/state/observer.hpp"
#include "runtime/tables/call_stacks.hpp"
#include "runtime/tables/locksets.hpp"

namespace heddle {

struct Sync;

namespace recorder {
struct Stream;
}

// A call that has not returned: where it came from, and its stack as a number once it was needed.
struct Frame {
  uptr pc;
  uptr frame_address;
  StackId stack = 0;  // 0: not asked yet
  // Whose code called the function, and on whose behalf (code_classes.hpp); kNeutral: not asked yet.
  CodeClasses called_by{CodeClass::kNeutral, CodeClass::kNeutral};
};

// With a sentinel frame before the first: reading the innermost frame needs no check whether there is one.
inline Frame* make_frames(usize count) {
  return static_cast<Frame*>(memory::allocate((count + 1) * sizeof(Frame))) + 1;
}
inline void free_frames(Frame* frames, usize count) {
  memory::release(frames - 1, (count + 1) * sizeof(Frame));
}

// Where a lock was acquired, and whether its task would have waited for it: a try, or a timed wait, is in
// no deadlock.
struct How {
  uptr pc = 0;
  bool waits = true;
};
// A lock that is held, and the call stack with which it was acquired.
struct AcquiredAt {
  HeldLock lock;
  StackId site;
};

// The turns of a task: see take_turns in runtime.hpp. Name 0: none.
struct Turns {
  uptr name = 0;
  order::Mode mode = order::Mode::kWrite;
  bool recorded = false;  // in a recorded run: it is this task's turn
};

// A task while it runs (or is suspended): what is the task's own, not the thread's.
struct TaskContext {
  ~TaskContext() {
    if (HEDDLE_UNLIKELY(step != nullptr)) g_observer->destroy(step);
  }
  // It holds what the other one does, and nothing else.
  void hold_as(const TaskContext& other) {
    lockset = other.lockset;
    locks.clear();
    for (HeldLock lock : other.locks) locks.push_back(lock);
    acquired_at.clear();
    for (AcquiredAt at : other.acquired_at) acquired_at.push_back(at);
    turns = other.turns;
  }
  order::Task* task = nullptr;
  LocksetId lockset = 0;
  Vector<HeldLock> locks;          // with repetition: re-entrant locks are held several times
  Vector<AcquiredAt> acquired_at;  // the same with places, with --check=deadlock
  Turns turns;
  u64 claims = 0;        // on memory of the thread, that its accesses make: race::kAsked, race::kNamed
  bool waiting = false;  // at a barrier: what runs now is the runtime system's
  u32 stack_base = 0;    // the thread's call depth when the task began
  uptr own_below = 0;    // its frames are below this on the stack; 0: a thread's, or not on its own stack
  TaskContext* outer = nullptr;  // what the thread was running before
  void* frontend = nullptr;      // whatever the programming model keeps
  // Strands of the task that began with a lock or an atomic operation: those do not end a step (see
  // runtime/annotated/steps.hpp).
  u32 within_step = 0;
  annotated::Step* step = nullptr;  // null until annotated data is touched
};

// Bytes that have been touched: see filter_key() and filter_demand(). `marked` is the thread's of then.
struct FilterEntry {
  u64 what = 0;
  u64 marked = 0;
};

// What the current strand made of a cell: the next cell that is the same becomes the same. Holds references to both.
struct Verdict {
  race::Cell before;
  u64 now = 0;  // Access::what
  race::Cell after;
  u32 stamp = 0;

  static constexpr u32 kVerdicts = 64;
  static u32 slot(const race::Cell& cell, const race::Access& access) {
    u64 x = cell.first.strand ^ cell.first.what ^ cell.second.strand ^ access.what;
    return static_cast<u32>((x ^ x >> 32 ^ x >> 36) * 0x9e3779b1u) >> 26;
  }
  bool is_for(const race::Cell& cell, const race::Access& access, u32 of_stamp) const {
    return before == cell && now == access.what && stamp == of_stamp;
  }
  // Takes over a reference to `from`.
  void remember(const race::Cell& from, const race::Access& access, const race::Cell& to, u32 of_stamp) {
    race::release(before);
    race::release(after);
    race::retain(to);
    *this = {from, access.what, to, of_stamp};
  }
};

// Something that saves work when it succeeds: where it has failed many times in a row, it is tried now and then only.
class Attempts {
 public:
  template <class Attempt>
  HEDDLE_INLINE bool succeed(Attempt attempt) {
    if (in_vain_ >= kMany && in_vain_++ % kSeldom != 0) return false;
    const bool success = attempt();
    in_vain_ = success ? 0 : in_vain_ + (in_vain_ < kMany);
    return success;
  }

 private:
  static constexpr u32 kMany = 16, kSeldom = 16;
  u32 in_vain_ = 0;
};

// How many of a strand's first accesses are still to be checked at once, if they can be (races/at_once.hpp): as many as
// a message has. A strand that makes more makes many more. Where most can not, only some strands try.
class AtOnce {
 public:
  HEDDLE_INLINE bool any() const { return left_ != 0; }
  // Strands of a task that hands over by signals are short, and their data is at hand. Data under locks is often
  // scattered, as is that of tasks which are only joined: it is better asked for ahead, when the strand ends.
  HEDDLE_INLINE void begin_strand(u32 stamp, bool hands_over, bool holds_locks) {
    const bool tries = in_vain_ < kMany || stamp % kSeldom == 0;
    left_ = hands_over && !holds_locks && tries ? kFirst : 0;
  }
  HEDDLE_INLINE void note(bool success) {
    --left_;
    if (!success)
      in_vain_ += in_vain_ < 2 * kMany;
    else
      in_vain_ -= in_vain_ < 2 ? in_vain_ : 2;  // one in three is worth it
  }

 private:
  static constexpr u32 kFirst = 16, kMany = 32, kSeldom = 16;
  u32 left_ = 0, in_vain_ = 0;
};

struct ThreadState {
  // --- the access path
  // All private, so that what many threads read does not travel between caches.
  AccessSets sets;  // for plain accesses, and for atomic ones to variables that carry no clock
  u64 strand = 0;   // 0 while not active
  // What is marked as touched, here and in the sets, was touched by the task since its last release operation
  // (order::Live::released_at), and since it last came to this thread. Nothing that comes after an access of then does
  // not come after one of now; so an access that repeats it, at least as many locks held, changes nothing. What the
  // task acquires meanwhile, or which lock it takes, does not matter. This is the stamp of such marks; 0 while not
  // active.
  u64 marked = 0;
  static constexpr u32 kFilter = 2048;  // 16 KiB of reach, for the others
  FilterEntry* filter = nullptr;
  u64 filtered = 0;                      // `marked` when something was last put there
  Attempts set_attempts, byte_attempts;  // to find that a read changes nothing
  // False while the runtime is at work, while accesses are ignored, and while no task is known: hooks then do nothing.
  bool active = false;
  bool quiescent = false;  // nothing else runs, or will have run before: see order::Structure::quiescent()
  AtOnce at_once;          // of the strand's accesses
  u64 what = 0;            // lockset and claims, in place for what_word
  recorder::Stream* stream = nullptr;  // in a recorded run: accesses go there instead of being checked

  // --- the call stack
  Frame* frames = nullptr;
  Frame* top = nullptr;  // one past the innermost; there is always a sentinel before the first
  Frame* frames_end = nullptr;
  // A call from here on takes a closer look: there is no room, or functions are regions.
  Frame* frames_limit = nullptr;

  // --- identity and stack
  u32 number = 0;  // 1, 2, ... in the order threads were first seen
  int os_id = 0;
  TaskContext* context = nullptr;
  u32 stamp = 0;    // changes with the strand: validates the verdicts
  u64 stamped = 0;  // the strand it is for
  // The stamp of what is marked as touched, and the last release of the task whose marks they are (a strand):
  // validates the access sets and the filter.
  u32 marks_stamp = 0;
  u64 marks_stamped = 0;
  // Whose marks of reads count for the current task, if others do: see races/shared_marks.hpp.
  struct MarkSharers {
    u64 last = 0;                // the strand that the last one is; 0: none
    bool last_is_whole = false;  // it has ended, without another strand
    u8 kind = 0;                 // order::Task::kind
    u64 phase = 0;               // the strand of the team's parent that all of them come after
    u64 claims = 0;
    u64 stamp = 0;      // of marks that they share
    u64 own_stamp = 0;  // of the last one's own marks
    u64 current = 0;    // of marks of reads that count for the current task
    u64 since = 0;      // since then the thread had no marks but theirs
    // A bit, by its number, for each block that the current task has written to; some stand for several.
    static constexpr u32 kBits = 4096;
    u64 written[kBits / 64] = {};
    bool wrote = false;
    static u32 bit(u64 block) { return static_cast<u32>(block ^ block >> 12) % kBits; }
  } mark_sharers;
  // The same for what is known by structure, which taking and giving locks does not change: validates the order cache.
  u32 order_stamp = 0;
  u64 order_stamped = 0;
  u32 record_reuses = 0;      // order::Records::reuses() when the order stamp was last made
  u32 annotated_version = 0;  // annotated::g_version of the marks
  // While a block with annotated data is checked: what the strand did there.
  const AccessSets::Keys* checked = nullptr;
  bool step_ends = false;              // with what is pending
  u64 annotated_unit = 0;              // step and region that they are of, if anything is annotated
  u32 inside = 0;                      // depth of RuntimeScope
  grace::Reader reader;                // while it looks at what may be freed
  u32 ignore = 0;                      // depth of "accesses here are not the program's"
  uptr stack_low = 0, stack_high = 0;  // the machine stack
  // Accesses that were not found in the sets; and, under the verification runtime, what they were when somebody last
  // looked.
  u32 touches = 0, touches_then = 0;
  bool gives_way = false;  // at its next access: see frontend/threads/spin_watchdog.cpp
  u32 waits_for_locks =
      0;  // and others know that: see runtime/locks/deadlocks.hpp; more than one only in signal handlers
  uptr stack_touched = ~uptr{0};  // lowest address of it that has shadow
  // Does the lockset keep two that hold it from racing?
  LocksetId lockset = 0;
  bool lockset_excludes = false;

  // Knowledge that fences hold back or wait for (C++ [atomics.fences]).
  order::Snapshot released_by_fence;
  order::Snapshot acquired_by_relaxed;

  void* frontend = nullptr;  // what a frontend keeps a thread (OpenMP)

  static constexpr u32 kSiteCache = 2048;
  struct SiteCache {
    uptr pc = 0;
    StackId caller = 0, site = 0;  // a frame that has not been asked yet has 0 as its stack: no caller here
  };
  // In an exploration, where one thread runs at a time, all have the initial thread's, and keep to its beginning: each
  // page that an execution touches costs it more than a miss.
  SiteCache* sites = site_cache.items;
  u32 most_sites = kSiteCache;
  static constexpr u32 kFewSites = 256;
  struct SyncCache {
    u64 key = 0;  // SyncTable::key
    Sync* sync = nullptr;
    u32 epoch = 0;
  };
  SyncCache* syncs = sync_cache.items;

  // --- caches in front of the shared tables
  // Each entry says what it is for, so a stale one is only a miss. Last, so that a thread that hardly uses them hardly
  // touches their pages.

  // Pairs of sites that have been reported, and how often they raced since that was last counted: a queue under a mutex
  // predicts the same few races for every element that it hands over.
  struct Reported {
    u64 sites = 0;
    u64 pair = 0;
    u64 hits = 0;
  };
  static constexpr u32 kReported = 64;
  ZeroedArray<Reported, kReported> reported;
  // Two accesses from patterns of sites that raced in these granules, and which pairs of sites were counted for that,
  // how often each.
  struct RacingPatterns {
    static constexpr u32 kMost = 6;
    u64 earlier = 0, now = 0;  // Access::what
    u32 granules = 0;
    bool certain = false;
    u32 pairs = 0;  // more than kMost: not all of them are here
    struct Pair {
      Reported* reported;
      u64 sites;
      u64 hits;
    } pair[kMost] = {};
  };
  static constexpr u32 kRacingPatterns = 16;
  ZeroedArray<RacingPatterns, kRacingPatterns> racing_patterns;
  struct OrderCache {
    u64 key = 0;  // task and order stamp
    order::Index by_structure = 0;
    order::Index in_full = 0;  // as of full_stamp: it may be more by now
    race::StandsFrom stands;
    u32 full_stamp = 0;
    bool stands_known = false;
    bool sibling = false;  // it waits for the same join as the current task
  };
  static constexpr u32 kOrderCache = 1024;
  ZeroedArray<OrderCache, kOrderCache> order_cache;
  static constexpr u32 kListPositions = 256;
  ZeroedArray<u32, kListPositions> list_positions;  // see StrandContext::position
  static constexpr u32 kSyncCache = 2048;
  ZeroedArray<SyncCache, kSyncCache> sync_cache;
  ZeroedArray<Verdict, Verdict::kVerdicts> verdicts;
  ZeroedArray<SiteCache, kSiteCache> site_cache;
  static u32 site_slot(StackId caller, uptr pc) { return (static_cast<u32>(pc) ^ caller) % kSiteCache; }
  SiteCache& known_site(StackId caller, uptr pc) { return sites[site_slot(caller, pc) & (most_sites - 1)]; }
  // Lock dependencies that the task has added since its last acquire or release: see deadlocks.cpp.
  struct KnownDependency {
    u64 dependency = 0;  // a hash of all of it
    deadlock::SyncEpoch sync_epoch;
    bool operator==(const KnownDependency&) const = default;
  };
  static constexpr u32 kDependencies = 64;
  ZeroedArray<KnownDependency, kDependencies> dependencies;
  // Repeats::after, as far as it was asked for.
  struct RepeatsCache {
    u64 so_far_and_now = 0;
    AccessKey after = 0;
  };
  static constexpr u32 kRepeatsCache = 512;
  ZeroedArray<RepeatsCache, kRepeatsCache> repeats_cache;
  static constexpr u32 kPatterns = 4096;
  struct Pattern {
    u32 hash = 0;
    StackId pattern = 0;  // 0: met once
  };
  StackId last_pattern = 0;
  ZeroedArray<Pattern, kPatterns> patterns;  // that were met, by their hash
};

inline FilterEntry* make_filter() {
  return static_cast<FilterEntry*>(memory::map(ThreadState::kFilter * sizeof(FilterEntry)));
}

// Every function entry is checked: some functions are regions of annotated data.
extern bool g_looks_at_calls;

// After any of what decides which calls take a closer look has changed.
inline void limit_frames(ThreadState& thread) {
  thread.frames_limit = g_looks_at_calls ? thread.frames : thread.frames_end;
}

inline ThreadState* make_thread_state() {
  // Without parentheses, which would zero what is zero already.
  return new (memory::allocate(sizeof(ThreadState))) ThreadState;
}

}  // namespace heddle
