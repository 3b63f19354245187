// What the runtime knows about one OS thread, and about the task it is running.
//
// The access path reads `sets`, `filter` and `strand`; everything else is for the slow path. All fields belong to the thread itself.
#pragma once

#include "base/vector.hpp"
#include "checker/race/access.hpp"
#include "checker/race/stands_for.hpp"
#include "order/structure.hpp"
#include "runtime/call_stacks.hpp"
#include "runtime/locksets.hpp"

namespace heddle {

struct Page;
namespace recorder {
struct Stream;
}

// A call that has not returned: where it came from, and its stack as a number once somebody asked.
struct Frame {
  uptr pc;
  uptr frame_address;
  StackId stack;
};

// A task while it runs (or is suspended): what is the task's own, not the thread's.
struct TaskContext {
  order::Task* task = nullptr;
  LocksetId lockset = 0;
  Vector<HeldLock> locks;        // with repetition: re-entrant locks are held several times
  bool bound = false;            // it has asked for its thread number: see Flag::kBound
  bool waiting = false;          // at a barrier: what runs now is the runtime system's
  u32 stack_base = 0;            // the thread's call depth when the task began
  TaskContext* outer = nullptr;  // what the thread was running before
  void* frontend = nullptr;      // whatever the programming model keeps
};

// An access that this strand has made: granule << 16 | bytes << 8 | strength, and the strand.
struct FilterEntry {
  u64 what = 0;
  u64 strand = 0;
};

// What the strand has done to 256 bytes of the program, a bit for every four (the access sets of TARDIS, Lu et al. 2014), beside where
// their shadow is: one line of cache answers the usual access. The bits count only while the tag says "these bytes, this strand".
struct BlockSet {
  u64 tag;
  u64 read;  // read, or written
  u64 written;
  Page* page;
};
static_assert(sizeof(BlockSet) == 32);

struct AccessSets {
  static constexpr u32 kBlockShift = 8;
  static constexpr u32 kBlocks = 32768;  // 8 MiB of reach, direct-mapped
  static constexpr u32 kStampBits = 25;  // the other 39 bits of a tag are the block's number
  static constexpr u64 kLastStamp = (u64{1} << kStampBits) - 1;

  BlockSet* blocks = nullptr;
  u64 stamp = 0;  // of the current strand; 0 while nothing may match
};

struct ThreadState {
  // --- the access path
  // All private, so that what many threads read does not travel between caches.
  AccessSets sets;                      // for aligned accesses of 4 bytes and more
  u64 strand = 0;                       // 0 while not active: then nothing in the filter matches
  static constexpr u32 kFilter = 2048;  // 16 KiB of reach, for small, unaligned and atomic ones
  FilterEntry* filter = nullptr;
  // False while the runtime is at work, while accesses are ignored, and while no task is known: hooks then do nothing.
  bool active = false;
  bool alone = false;  // nothing else runs, or will have run before: see order::Structure::alone()
  u64 what = 0;        // lockset and kBound, in place for what_word
  recorder::Stream* stream = nullptr;  // in a recorded run: accesses go there instead of being judged

  // --- the call stack
  Frame* frames = nullptr;
  Frame* top = nullptr;  // one past the innermost
  Frame* frames_end = nullptr;

  // --- who and where
  u32 number = 0;  // 1, 2, ... in the order threads were first seen
  TaskContext* context = nullptr;
  u32 stamp = 0;    // changes with the strand: validates the order cache and the access sets
  u64 stamped = 0;  // the strand it is for
  u32 inside = 0;   // depth of RuntimeScope
  u32 ignore = 0;   // depth of "accesses here are not the program's"
  uptr stack_low = 0, stack_high = 0;  // the machine stack
  uptr stack_touched = ~uptr{0};       // lowest address of it that has shadow
  u64 reports = 0;

  // --- caches in front of the shared tables; each entry says what it is for, so a stale one is only a miss
  struct OrderCache {
    u64 key = 0;  // task and stamp
    order::Index by_structure = 0, in_full = 0;
    race::StandsFrom stands;
    bool full_known = false, stands_known = false;
  };
  static constexpr u32 kOrderCache = 1024;
  OrderCache order_cache[kOrderCache];
  struct SiteCache {
    uptr pc = 0;
    StackId caller = 0, site = 0;
  };
  static constexpr u32 kSiteCache = 512;
  SiteCache site_cache[kSiteCache];
  static u32 site_slot(StackId caller, uptr pc) { return (pc ^ caller * 0x9e3779b1u) % kSiteCache; }

  // Knowledge that fences hold back or wait for (C++ [atomics.fences]).
  order::Knowledge released_by_fence;
  order::Knowledge acquired_by_relaxed;

  void* frontend = nullptr;  // what a frontend keeps a thread (OpenMP)
};

}  // namespace heddle
