// One controlled execution, as the explorer sees it: a sequence of steps, each made by one actor while all others stood
// still.
//
// An *actor* is what is scheduled (a thread, a task with a stack of its own); a *task* is what structure orders (a
// chunk of a dynamic loop is a task, run by the actor of its thread). A *step* is the stretch of an actor between two
// cuts. Cuts are: before an acquisition, after a release, before whatever may block, after a spawn or a signal, around
// an atomic operation, at the change of the task. So what a step holds, knows and hands over is the same from its
// beginning to its end. What touches a Sync (a signal, a semaphore) and what tries a lock is a step of its own, too. A
// prefix may change to another actor at every cut.
//
// Actors are named by their spawn path, so names survive from one execution to the next; numbers are entries of one
// ActorNames table that all executions of one exploration share.
#pragma once

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
  u32 index = 0;  // which of its parent's children, counted from 0
  auto operator<=>(const ActorName&) const = default;
};

// What a step begins with.
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
  // To memory that is new in this step: nobody else can know it yet, so it can race with what comes later, but no order
  // of steps depends on it.
  bool fresh = false;
};

// What was looked at in vain: see Step::repeats.
struct Looks {
  std::vector<Held> locks;  // that were not to be had, in the mode in which they were tried
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
  std::vector<Access> accesses;  // the same access may be named once for many
  // Steps that come before this one by structure (spawn, join, barrier, signal), apart from the task's own: indices,
  // each lower than this step's. For kAtomic, and whatever has syncs: those whose value it saw. They could have come
  // later; all others could not.
  std::vector<u32> after;
  // It repeats what its actor did before, in vain: it is disabled until something has changed of what that looked at,
  // which is here and does not touch what orders tasks. If nobody else can go on it is enabled nevertheless; then it
  // comes after all of their steps.
  bool repeats = false;
  Looks looks;
  // Those of `after` that only made it possible to go on (a futex was woken, a clock ran on) and handed over nothing:
  // they order schedules, not tasks.
  std::vector<u32> enabled_by;
};

enum class End : u8 {
  kFinished,
  kDeadlock,  // somebody waits, nobody can go on
  kStopped,   // by the guide: whoever could go on is asleep
  kDiverged,  // the prefix could not be followed: see `problem`
  kCrashed,   // `problem` says how
  kTooLong,   // a limit was reached: see `problem`
  kAborted,   // it was not wanted any more: as if it had never begun
};

struct Execution {
  std::vector<Step> steps;
  End end = End::kFinished;
  std::string problem;
  // At a deadlock: what those that could not go on were about to do (actor, task, op, object, write, held, syncs;
  // `after`, if it would have been their first). Another order may let them: without this the explorer would not know
  // which.
  std::vector<Step> waiting;
  // Does an atomic operation, or one on an object, know all that those before it on which it depends knew? If not, it
  // knows what `after` says: in C++ a relaxed load comes after the store it reads and knows nothing by that.
  bool knows_by_dependence = false;
};

// Which actors there are. Numbers are given in the order of first sight and stay; all executors of one exploration
// share one table. Thread safety: any thread may call anything.
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

// Asked when an execution leaves its prefix and every actor that could go on is to be avoided: who goes on?
class Guide {
 public:
  virtual ~Guide() = default;
  static constexpr ActorNumber kNobody = ~ActorNumber{0};
  // `so_far` has all steps that were made. From the answer on, only actors in `avoid` (which may be changed) are
  // avoided.
  virtual ActorNumber next(const Execution& so_far, std::span<const ActorNumber> enabled,
                           std::vector<ActorNumber>& avoid) = 0;
};

// What to execute: the actor of each step of the prefix (cuts without a choice included), then greedily: whoever runs
// goes on until it cannot, then the lowest number that can; actors in `avoid` only when the guide says so.
struct Prefix {
  std::vector<ActorNumber> actors;
  std::vector<ActorNumber> avoid;
};

// Something that can be executed again and again. Two executions with the same prefix make the same steps, as far as it
// goes.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual Execution run(const Prefix& prefix, Guide& guide) = 0;
  std::shared_ptr<ActorNames> names = std::make_shared<ActorNames>();
  // Steps end right after each acquisition, too. Needed where locks are tried: else no other actor could find one held.
  // The explorer starts again with it when it meets a kTryAcquire.
  bool split_acquisitions = false;
  // Asked from time to time while an execution is under way, by any thread: is it not wanted any more?
  std::function<bool()> unwanted;
  bool is_unwanted() const { return unwanted && unwanted(); }
};

}  // namespace heddle::explore
