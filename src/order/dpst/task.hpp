// The tree of tasks: a dynamic program structure tree (DPST; Raman et al. 2012, used by Yoga & Nagarakatte 2016) with
// the joins that OpenMP needs. A *strand* is (task, index): the index counts the task-management constructs the task
// has met.
//
// The published DPST has async and finish nodes, so a join always covers all descendants. Here a task names the scopes
// that can join it: `wait`, closed by its parent's taskwait (children only), and `group`, closed by the end of the
// innermost taskgroup, team phase (barrier) or parallel region around it (descendants too). A scope, once closed, is
// "(owner, index)": all that ended in it comes before that strand of its owner. A taskgroup may contain a barrier, and
// the stretches before and after it are tasks of their own: a group whose owner ended is closed by the enclosing group.
//
// Thread safety: what is marked [owner] is touched only by the thread that runs the task; everything else is either
// immutable after spawn or atomic, and may be read by anyone at any time. Records are never freed while shadow memory
// may name them; those that nothing names any more become records of new tasks (order/records.hpp).
#pragma once

#include <atomic>
#include <utility>

#include "base/hash_map.hpp"
#include "base/spin_lock.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"
#include "order/clocks/clock.hpp"

namespace heddle::order {

using TaskId = u32;  // 0: none. 31 bits: the shadow uses the 32nd
using Index = u32;   // strands of a task count from 1
constexpr Index kAll = ~Index{0};

struct Scope;
struct Task;

// What a task acquired through synchronisation beyond the tree: `structure` by signals (dependences, futures, atomics,
// condition variables, ...), `full` by these and by the order in which locks were taken in this run.
// The two are alike until a task takes a lock that tells it something: until then there is one clock.
class Knowledge {
 public:
  Knowledge() = default;
  HEDDLE_INLINE Knowledge(const Knowledge& other) : apart_(other.apart_), structure_(other.structure_) {
    if (HEDDLE_UNLIKELY(apart_)) full_ = other.full_;
  }
  HEDDLE_INLINE Knowledge(Knowledge&& other) noexcept
      : apart_(other.apart_), structure_(std::move(other.structure_)), full_(std::move(other.full_)) {
    other.apart_ = false;
  }
  // What was here is there afterwards.
  HEDDLE_INLINE Knowledge& operator=(Knowledge&& other) noexcept {
    structure_ = std::move(other.structure_);
    if (HEDDLE_UNLIKELY(other.apart_ || apart_)) full_ = std::move(other.full_);
    std::swap(apart_, other.apart_);
    return *this;
  }
  HEDDLE_INLINE Knowledge& operator=(const Knowledge& other) {
    structure_ = other.structure_;
    if (HEDDLE_UNLIKELY(other.apart_ || apart_)) full_ = other.full_;
    apart_ = other.apart_;
    return *this;
  }

  const Clock& structure() const { return structure_; }
  const Clock& full() const { return HEDDLE_UNLIKELY(apart_) ? full_ : structure_; }
  bool empty() const { return full().empty(); }
  HEDDLE_INLINE bool includes(u32 chain, u32 element) const {
    return chain && structure_.get(chain) >= element;
  }
  HEDDLE_INLINE void raise(u32 chain, u32 element) {
    structure_.raise(chain, element);
    if (HEDDLE_UNLIKELY(apart_)) full_.raise(chain, element);
  }
  // Was there anything new?
  HEDDLE_INLINE bool join(const Knowledge& other) {
    if (HEDDLE_UNLIKELY(other.apart_)) take_apart();
    const bool grown = structure_.join(other.structure_);
    return HEDDLE_UNLIKELY(apart_) ? full_.join(other.full()) | grown : grown;
  }
  // The same in the full order only.
  void join_in_full(const Clock& other, u32 chain, u32 element) {
    take_apart();
    full_.join(other);
    if (chain) full_.raise(chain, element);
  }
  // change(clock) does the same to either.
  template <class Change>
  void change_both(Change change) {
    change(structure_);
    if (apart_) change(full_);
  }
  template <class Change>
  void change_full(Change change) {
    take_apart();
    change(full_);
  }

 private:
  void take_apart() {
    if (std::exchange(apart_, true)) return;
    full_ = structure_;
  }

  bool apart_ = false;
  Clock structure_;
  Clock full_;  // while they are apart, else empty
};

// The name of a strand: an element of its task's chain. Chain 0: none.
struct StrandName {
  u32 chain = 0;
  u32 element = 0;
};

// What one task knew at one strand names the strand (an element of its chain) instead of entering it into the clocks:
// publishing then costs no copy of anything but few numbers, and a task that knows the strand acquires nothing from the
// rest. What was joined names none (chain 0).
struct Snapshot : StrandName, Knowledge {
  u64 from = 0;  // Scope::name of the wait scope of all who released it; 0: of several, or none

  Snapshot() = default;
  Snapshot(const Knowledge& known, u32 of_chain, u32 at) : StrandName{of_chain, at}, Knowledge(known) {}

  bool empty() const { return !chain && Knowledge::empty(); }
  void join(const Snapshot& other) {
    if (includes(other.chain, other.element)) return;
    if (empty())
      from = other.from;
    else if (from != other.from)
      from = 0;
    if (chain) raise(std::exchange(chain, 0), element);
    Knowledge::join(other);
    if (other.chain) raise(other.chain, other.element);
  }
};

// A chain is a sequence of strands that are totally ordered, so that one number says how many of them are known. A task
// gets one when it first publishes something; tasks that come after a finished one may carry its chain on.
struct FreeChain {
  u32 id;
  u32 next_base;
};

// Clocks and chains that ended tasks leave to the scope around them; made only when there is something to leave.
struct InheritedClocks {
  Knowledge clocks;
  Vector<FreeChain>
      pool;  // chains that tasks of this scope may carry on: they ended before the scope was opened
  Vector<FreeChain> returned;  // chains of tasks that ended in this scope: free once it is closed
};

struct Scope {
  Task* owner;
  u64 name;  // its owner's strand when it was made: no other scope that a taskwait or a barrier closes has the same
  Scope* outer = nullptr;                // [owner] the group scope around this one
  Scope* outer_children = nullptr;       // [owner] the wait scope that was open when this group was opened
  InheritedClocks* inherited = nullptr;  // guarded by lock
  std::atomic<Index> closed{0};          // 0 while open
  // The group around it, if the owner ended (or arrived at a barrier) with this one open: that joins its tasks now. Set
  // under lock.
  std::atomic<Scope*> enclosing{nullptr};
  // In this run another task waited for all that ended here, after the owner had ended: its id << 32 | the strand since
  // then. The full order only: see Structure::wait_in_full.
  std::atomic<u64> waited{0};
  SpinLock lock;
  // Some task in here published knowledge (by signal / by signal or lock) or ended before its children did.
  std::atomic<bool> signalled{false};
  std::atomic<bool> released{false};
  // Of the children of a task that ended before they did: see Structure::settle.
  std::atomic<bool> settled_signalled{false};  // some that have settled published knowledge
  std::atomic<bool> settled_released{false};
  u32 spawned = 0;                // [owner]
  std::atomic<int> unsettled{0};  // less than 0 until the owner ends and adds `spawned`
  Index owner_signal = 0;         // the owner's `last_signal` without them
  Index owner_release = 0;

  std::atomic<bool> done{false};  // closed, and the owner and its team have forgotten it
  Scope* older = nullptr;         // the one that its owner made before
  // The last collection of records at whose begin it was done; in which something named it.
  u32 done_in = 0, named_in = 0;

  explicit Scope(Task* by);
};

class DependTable;

// Where a task's clocks have the spawning strands of its ancestors: see Structure::enter.
enum class Named : u8 { kNot, kInFull, kInBoth };

// How often a task has created something with one call stack. Most create few different things.
class CreationCounts {
 public:
  // 0 for the first one.
  u32 next(u32 stack) {
    SpinGuard guard(lock_);
    for (u32 i = 0; i < used_; ++i)
      if (few_[i].stack == stack) return few_[i].count++;
    if (used_ < kFew) {
      few_[used_++] = {stack, 1};
      return 0;
    }
    return more_[stack]++;
  }

 private:
  static constexpr u32 kFew = 4;
  struct Count {
    u32 stack, count;
  };
  SpinLock lock_;  // threads of a team are made by all of them
  u32 used_ = 0;
  Count few_[kFew];
  HashMap<u32> more_;
};

// What only a running task needs.
struct Live {
  Knowledge knows;
  Scope* children = nullptr;       // the wait scope of children spawned since the last taskwait
  Scope* group = nullptr;          // the group scope its children will belong to
  DependTable* depends = nullptr;  // depend clauses of its children, if any
  Vector<FreeChain> free_chains;   // chains that its future children may carry on
  u32 chains_each = 1;             // how many a thread may get: the most that one of them gave back
  Scope* floor =
      nullptr;        // the group around the innermost included child: what is further out is not its own
  u32 set_apart = 0;  // included children that began while there were others
  // `knows` has grown beyond what was inherited, by more than what others leave to the scope that joins the task: see
  // Structure::comes_from_siblings.
  bool has_acquired = false;
  Named named = Named::kNot;
  // The strand since its last release: a strand that happens after one of them happens after all.
  Index released_at = 1;
  // The same by structure: locks that it gave back do not count.
  Index released_by_structure_at = 1;
  CreationCounts created;
};

// A critical section of an exclusive lock, by the task's last release. Those of one lock are numbered: each happens
// before the next in the full order.
struct Section {
  u32 lock = 0;      // a number that no other lock ever has; 0: the last release was of something else
  u32 number = 0;    // among the sections of this lock
  Index before = 0;  // the last release before it
  Index end = 0;     // its own
};

struct Task {
  Task* parent;
  Scope* wait;
  Scope* group;
  Live* live;  // [owner]; null after the end
  TaskId id;
  u32 depth;
  Index spawned_at;           // strand of the parent
  Index now;                  // [owner] the current strand
  std::atomic<u32> chain{0};  // 0: none yet
  u32 chain_base;             // strand (task, i) is element chain_base + i; valid once chain is set
  // The last strand whose knowledge left the task (or its joined descendants) by a signal / by a signal or a lock.
  std::atomic<Index> last_signal;
  std::atomic<Index> last_release;
  // The highest join of it that a query has met: owner's id << 32 | strand. 0: none yet. Joins last, so it never
  // becomes wrong.
  mutable std::atomic<u64> joined_into;
  std::atomic<bool> ended;
  bool chain_promised;      // [owner] a successor in a depend graph carries the chain on: do not hand it out
  u8 open_groups;           // groups that were open when it ended
  u8 kind;                  // a frontend's word for reports, not interpreted here
  std::atomic<u32> thread;  // number of the OS thread that runs (ran) it
  u32 created_at;           // call stack of the creation, not interpreted here
  u32 created_before;       // how many like it its parent had created before, if that is counted; the same
  Index acquired_at;        // [owner] the strand since which it knows by structure what it knows now
  u32 recorded_as;          // its number in a recorded history: a thread of a team keeps it at barriers
  Scope* scopes;            // the last that it has made
  u32 born;                 // quiescent points before it
  std::atomic<bool>
      let_go;  // by whoever made it: after its end nothing but the shadow and other tasks name it
  mutable std::atomic<bool> kept;  // something else names it: its record is not to be used again
  Section section;                 // [owner] until the end
};

inline Scope::Scope(Task* by) : owner(by), name(u64{by->id} << 32 | by->now) {}

}  // namespace heddle::order
