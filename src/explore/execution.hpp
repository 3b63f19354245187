// One controlled execution, as the explorer sees it: a sequence of steps (transitions), each made by one actor while
// all others are stopped.
//
// An *actor* is what is scheduled (a thread, a task with a stack of its own); a *task* is what structure orders (a
// chunk of a dynamic loop is a task, run by the actor of its thread). A *step* is what an actor does between two
// cuts. Cuts are: before an acquisition, after a release, before any operation that may block, after a spawn or a
// signal, around an atomic operation, at a change of the task. So the locks, the clock and the spawned tasks of a
// step do not change inside it. An operation on a Sync (a signal, a semaphore) and a try of a lock are steps of their
// own. A prefix may switch to another actor at every cut.
//
// Actors are named by their spawn path, so names survive from one execution to the next; numbers are entries of one
// ActorNames table that all executions of one exploration share.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/kinds.hpp"

namespace heddle::explore {

// 0 is the initial thread.
using ActorNumber = u32;

struct ActorName {
  ActorNumber parent = 0;
  u32 index = 0;  // its position among its parent's children, from 0
  auto operator<=>(const ActorName&) const = default;
};

// The operation that a step begins with.
using Op = StepOp;

struct Held {
  u64 lock = 0;
  bool write = true;
  bool operator==(const Held&) const = default;
};

// An object other than a lock whose state the step reads or changes. Two steps that touch one object depend on each
// other if either writes.
struct Sync {
  u64 object = 0;
  bool write = true;
};

struct Access {
  u64 address = 0;
  u32 size = 0;
  bool write = false, atomic = false;
  u32 site = 0;
  u32 bound_to = 0;  // not 0: two accesses bound to one thread do not race
  // To memory that is new in this step. No other actor can have its address yet, so the access can race with later
  // ones, but no order of steps depends on it.
  bool fresh = false;
};

// What a failed poll read: see Step::repeats.
struct Looks {
  std::vector<Held> locks;  // that could not be acquired, in the mode in which they were tried
  std::vector<Sync> syncs;  // and atomic variables
  std::vector<Access> reads;
  std::vector<Held> held;  // during these
};

struct Step {
  ActorNumber actor = 0;
  u32 task = 0;
  Op op = Op::kGoOn;
  u64 object = 0;            // of kAcquire, kTryAcquire, kAtomic, kChoice
  bool write = true;         // of kAcquire, kTryAcquire: the mode; of kAtomic: it may change the value
  bool succeeded = true;     // of kTryAcquire
  std::vector<Held> held;    // before the step: acquired by earlier steps of the actor
  std::vector<Held> gained;  // acquired in the step and held beyond it
  std::vector<Held> given;   // held before, released by the step
  std::vector<Held> pulsed;  // acquired and released inside the step
  std::vector<Sync> syncs;
  std::vector<Access> accesses;  // equal accesses may be merged into one
  // Steps that happen before this one by structure (spawn, join, barrier, signal), apart from the task's own: indices
  // lower than this step's. For kAtomic and for steps with syncs, these are the steps whose values it read: they
  // could have come later; all others could not.
  std::vector<u32> after;
  // It repeats a failed poll of its actor. The step is disabled until another step changes what the poll read, which
  // is in `looks` and does not order tasks. If no other actor is enabled, it is enabled nevertheless; it then comes
  // after all their steps.
  bool repeats = false;
  Looks looks;
  // Those of `after` that only enabled the step (a futex was woken, a clock advanced), without release/acquire: they
  // order schedules, not tasks.
  std::vector<u32> enabled_by;
};

enum class End : u8 {
  kFinished,
  kDeadlock,  // some actor is blocked, none is enabled
  kStopped,   // by the guide: the enabled actors need no execution
  kDiverged,  // the prefix could not be followed: see `problem`
  kCrashed,   // `problem` says how
  kTooLong,   // a limit was reached: see `problem`
  kAborted,   // it was cancelled, and does not count
};

// Which steps an executor makes, and when they are enabled. The explorer starts with the fewest steps, and restarts
// with more where an execution shows that the program needs them.
struct Stepping {
  // Also end a step after each acquisition, and before a release that follows another operation. Programs that try
  // locks need this: otherwise no other actor could find a lock held.
  bool split_acquisitions = false;
  // A failed poll may be repeated at once, some times. Programs whose loops of polls end by themselves need this, after
  // a number of attempts or at a time: see Execution::leaves_polls.
  bool repeat_polls = false;

  void add(const Stepping& other) {
    split_acquisitions |= other.split_acquisitions;
    repeat_polls |= other.repeat_polls;
  }
  bool operator==(const Stepping&) const = default;
};

struct Execution {
  std::vector<Step> steps;
  End end = End::kFinished;
  std::string problem;
  // At a deadlock: the pending steps of the blocked actors (actor, task, op, object, write, held, syncs; `after`, if
  // it would have been their first). Another order may enable them: the explorer needs them to find that order.
  std::vector<Step> waiting;
  // Does an atomic operation, or one on an object, happen after all that the operations it depends on happen after?
  // If not, `after` says what it happens after: in C++ a relaxed load reads from a store without acquiring.
  bool knows_by_dependence = false;
  // A loop of polls ended though nothing that it polled had changed.
  bool leaves_polls = false;

  // What its program needs, as far as this execution shows.
  Stepping needs() const {
    const bool tries =
        std::any_of(steps.begin(), steps.end(), [](const Step& step) { return step.op == Op::kTryAcquire; });
    return {.split_acquisitions = tries, .repeat_polls = leaves_polls};
  }
};

// The table of actors. It numbers them in the order of their first use, and numbers never change. All executors of
// one exploration share one table. Thread safety: any thread may call anything.
class ActorNames {
 public:
  ActorNames() : names_(1) {}
  ActorNumber find_or_add(const ActorName& name);
  ActorName operator[](ActorNumber actor) const;
  usize size() const;
  // "0", "0.2", "0.2.1"
  std::string path(ActorNumber actor) const;
  // The actor of a path; kNoActor if it is no path.
  static constexpr ActorNumber kNoActor = ~ActorNumber{0};
  ActorNumber find_or_add_path(std::string_view path);

 private:
  mutable std::mutex mutex_;
  std::vector<ActorName> names_;
  std::unordered_map<u64, ActorNumber> numbers_;  // by parent and index
};

// Called when an execution leaves its prefix and every enabled actor is in `avoid`: it chooses the next actor.
class Guide {
 public:
  virtual ~Guide() = default;
  static constexpr ActorNumber kNobody = ~ActorNumber{0};
  // `so_far` has all steps that were made. From the answer on, only actors in `avoid` (which the guide may change)
  // are avoided.
  virtual ActorNumber next(const Execution& so_far, std::span<const ActorNumber> enabled,
                           std::vector<ActorNumber>& avoid) = 0;
};

// What to execute: the actor of each step of the prefix (cuts without a choice included). Then greedily: the active
// actor continues until it blocks, then the enabled actor with the lowest number; actors in `avoid` only when the
// guide says so.
struct Prefix {
  std::vector<ActorNumber> actors;
  std::vector<ActorNumber> avoid;
};

// A program that can be executed repeatedly. Two executions with the same prefix make the same steps in it.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual Execution run(const Prefix& prefix, Guide& guide) = 0;
  std::shared_ptr<ActorNames> names = std::make_shared<ActorNames>();
  // Later executions make these steps; the assumptions of earlier ones no longer count.
  virtual void restart(const Stepping& needed) { stepping = needed; }
  Stepping stepping;
  // Polled during an execution, by any thread: should it be cancelled?
  std::function<bool()> unwanted;
  bool is_unwanted() const { return unwanted && unwanted(); }
  // Why an execution could not be made, or not to its end, if that says nothing about the program: no memory, a
  // process that is gone. Empty: there was none.
  std::string broken;
};

}  // namespace heddle::explore
