// The core of the verification runtime: exactly one logical thread runs; all others wait for the baton.
//
// A logical thread is an *actor*. Each has an operating-system thread of its own, so thread_local, errno and
// debuggers work as usual; but only the one that holds the baton runs. It hands the baton over at *choice points*:
// before an acquisition, before any operation that may block, when it ends. There a scheduler (strategy.hpp) chooses
// the next actor. Between choice points an actor runs alone.
//
// The real functions are still called (the real pthread_mutex_lock locks the real mutex): choose() returns only when
// the call cannot block, because no other actor runs meanwhile. Frontends check active() first: in a normal run
// nothing here has an effect.
//
// A *step* ends at each choice point and at each cut(); steps are what schedules are written in.
//
// Time is virtual: it stands still while any actor is enabled, then jumps to the first deadline. In an exploration it
// may pass at any moment instead: a sleeping actor is always enabled, and a timed wait may always time out
// (Pending::timed).
//
// Ground rules: those of src/runtime/runtime.hpp. Independent of tasks, vector clocks and shadow memory. The baton
// guards all state; only on(), active() and take_baton() may be called without it.
#pragma once

#include "base/kinds.hpp"

namespace heddle::control {

struct Actor;

// Decided once, before the program's first instruction.
bool on();
// Is the calling thread an actor, outside of signal handlers?
inline bool active();

// The operation that an actor is about to perform.
using Op = StepOp;

constexpr u64 kNoDeadline = ~u64{0};

// What may end a wait early, as bits.
enum Interrupt : u8 { kBySignal = 1, kByCancellation = 2 };

struct Pending {
  Op op = Op::kChoice;
  bool write = true;
  bool outside = false;  // it may wait for an event from outside of the program
  bool yields = false;   // others go first, if any is enabled
  bool takes =
      false;  // a wait that consumes what others wait for, too (a permit of a semaphore): the order matters
  // Has a deadline, and only steps on `object` can end the wait: in an exploration it is always enabled. If it is
  // chosen before `enabled` holds, it has timed out.
  bool timed = false;
  bool looks = false;     // a choice that may change nothing: looked_at() or changed() is called afterwards
  bool repeats = false;   // it repeats a failed poll: see has_looked()
  bool releases = false;  // the release of a lock that follows is part of it: see about_to_release()
  u8 interruptible = 0;   // bits of Interrupt
  uptr object = 0;
  // Is it enabled? Null: always. The active thread calls this at any choice point: it must not change anything.
  bool (*enabled)(void* data) = nullptr;
  void* data = nullptr;
  // Called when it is chosen: other actors may have changed what the operation is (it changes nothing after all).
  void (*settle)(Pending& pending) = nullptr;
  u64 deadline = kNoDeadline;     // in virtual nanoseconds: see now()
  const char* what = "";          // for reports of a stalled program: "joins a thread", "waits at a barrier"
  uptr pc = 0;                    // where in the program
  const Actor* awaits = nullptr;  // the only actor that can enable it: it waits for that one's end
  u32 sites = 0;                  // of kAccess: bits of the sites it is at (control/steering.hpp)
  u32 size = 0;                   // of kAccess: bytes
};

// kOutside: no actor of the program is enabled, so the caller must really block, between leave_baton() and
// take_baton().
enum class Outcome : u8 { kReady, kTimedOut, kInterrupted, kCancelled, kOutside };

// A choice point. Returns when the actor is chosen: then `enabled` holds, unless the outcome says otherwise.
Outcome choose(const Pending& pending);
// A new step without a choice; but a schedule that is followed may switch to another actor.
void cut();
// The same without a switch: for callers that hold a lock of the runtime.
void cut_here();
// Others go first, if any is enabled. In an exploration the scheduler decides, and the actor stays enabled.
void yield(const char* what = "yields", uptr pc = 0);
// In an exploration: the actor sleeps until then. It stays enabled.
void pause(const char* what, uptr pc, u64 until = 0);

// As yield(), for code of a library whose steps are not explored: others always go first.
void let_others_go(const char* what, uptr pc);

// A signal was sent to an actor, or it was cancelled. A signal is consumed by the actor's next step, a cancellation
// never.
void interrupt(Actor* actor, Interrupt by);

// --- spinning -------------------------------------------------------------------------------------------------------

// A poll failed, of something that explorations do not model (a descriptor, the end of a thread). An actor that only
// polls yields.
void looked(uptr pc = 0);
// The same in code of a library whose atomic operations are no steps: what it waits for is not known to an exploration.
void looked_unseen(uptr pc = 0);
// The actor changed something that others may poll.
void changed(uptr pc = 0);

// In an exploration: a *look* is an operation that changes nothing: an atomic load, an exchange that failed or stored
// the same value, a failed try of a lock or permit, a wait that timed out, a critical section that only reads. An
// actor polls if it looks at the same object at the same place again and has changed nothing in between; it may look
// at several objects in turn. A *repeated* look (Pending::repeats) is enabled when another actor has changed
// something that this one has looked at since its own last change; and when no other actor is enabled, as the loop
// may end in another way. This is an assumption with a name: Assumption::kSpins. If an execution shows that the loop
// ends in another way, the explorer restarts, and the first few repeated looks are ordinary steps
// (Scheduler::repeats_polls).
//
// So a program that polls has finitely many executions, and both orders of the change and the first look are
// explored. A repeated look is one step with the look that it repeats, and depends on all changes of the objects it
// looked at.
struct Look {
  uptr place = 0;   // 0: memory that was read in passing
  uptr object = 0;  // the address, if it is memory
  u64 value = 0;
  u32 size = 0;  // of memory, at most 8; 0: not memory
  // For objects that are not memory. Null: never.
  bool (*changed)(const Look& look, const Actor& actor) = nullptr;
  bool write = false;    // of a lock: the mode
  bool section = false;  // a critical section that only read
  bool paused = false;   // since then the actor has slept, yielded, or timed out
  u32 times = 0;
};
// The call of the active actor that returns to `pc`, with its callers: without inlining, all loads of a type return
// to the same address.
extern uptr (*place_of)(uptr pc);
// Null: it is no repeated look. Always null without an exploration.
const Look* has_looked(uptr object, uptr pc);
// REQUIRES: explores().
void looked_at(const Look& look, uptr pc);
// Under a lock, memory was read or written. `own`: it lies on the actor's own stack.
void touched(uptr address, usize size, bool write, bool own);

// --- assumptions of an exploration --------------------------------------------------------------------------------

enum class Assumption : u32 {
  kStrongAtomics =
      1,           // weakly ordered atomic operations are explored as if they were sequentially consistent
  kTimeouts = 2,   // a timeout passes only when no other thread can run
  kSpins = 4,      // a failed poll is retried only when what it read has another value
  kInput = 8,      // input from outside is always the same
  kOwnLocks = 16,  // a lock that one task acquires and another releases orders nothing
  kNoSpuriousWakeUps = 256,  // a wait for a condition variable ends only after a notification
  kThreadsOwn = 1u << 20,    // data that may be a thread's own is: see Own in runtime/state/thread_bound.hpp
  kClocks = 32,              // clocks show the time that sleeps and timeouts took, and no more
  kCutOff = 1 << 9,          // a wait for something from outside at the end of the process is never satisfied
  kSerialThread = 1 << 10,   // the last to arrive at a barrier is its serial thread
  kReadersFirst = 1 << 11,   // a reader does not wait for a waiting writer
  kTries = 1 << 12,          // a try of a free lock succeeds; weak exchanges fail only if the values differ
  kSignals = 1 << 13,        // when a signal or a cancellation comes is no choice
  kOwnCopies = 1 << 14,      // the teams of a target region share nothing that only the region has
  kThreadNumbers = 1 << 15,  // a task runs on the thread that created it
  kOneOrder = 1 << 16,       // operations that are no steps come in the order in which they happened to come
  kNoReuse = 1 << 17,        // memory that another thread frees is not allocated again
};
void assume(Assumption assumption);
// Adds all assumptions, past and future, to these bits.
void tell_assumptions(u32* bits);

// --- time -----------------------------------------------------------------------------------------------------------

// Virtual nanoseconds since the program's start. Each call takes some time, so that a loop that polls a clock ends.
// In an exploration each actor has its own clock, which advances with release/acquire: what clocks show depends on
// what happens before, not on concurrent steps.
u64 now();

// --- actors ---------------------------------------------------------------------------------------------------------

// The active actor creates another, which may be chosen from the next choice point on. `what` names its kind in
// reports.
Actor* create(const char* what);
// `start` makes a thread call begin(); the thread that hands the baton over calls it when the actor is first chosen.
// So actors that run one after the other may share a thread.
void start_when_chosen(Actor* actor, void (*start)(void* data), void* data);
// Called before something is created that concerns several actors (a group of tasks): executions may differ from here
// on.
void prepare();
// The first call on the new actor's thread: returns when it is first chosen. After end(), the same thread may begin
// another actor.
void begin(Actor* actor);
// The last call: hands the baton over. The calling thread must not run the program's code afterwards.
void end();
// Called by the actor that is about to end the process, after all exit handlers. Returns when no other actor is
// enabled: then the process ends. If an actor is in a cycle of actors that wait for each other, that is a deadlock,
// and it does not return.
//
// In reality the process may end at any moment from here on. An exploration loses no bug by ending it last: an
// execution that ends earlier has a prefix of each actor's steps of one that ends last. So each race, each failed
// assertion and each cycle of waiting actors of the first is in the second, too; and an actor that only waits when
// the process ends is in no deadlock.
void wait_for_the_rest();
// The thread could not be created.
void withdraw(Actor* actor);
Actor* current();
bool ended(const Actor* actor);
// A number that is equal in all executions that give the actor the same name.
u32 number(const Actor* actor);

// --- locks: their holders, so that an acquisition is chosen only when it will succeed -----------------------------

// Choice points. Nested acquisitions by the holder count; readers (write = false) share. A deadline in virtual time.
Outcome acquire(uptr lock, bool write, u64 deadline = kNoDeadline, uptr pc = 0);
bool try_acquire(uptr lock, bool write, uptr pc = 0);
// Whoever holds it: a program may release a lock that another actor acquired.
void release(uptr lock);
// Without a choice: could the actor (null: the active one) acquire it now? How often does the active one hold it?
bool available(uptr lock, bool write, const Actor* actor = nullptr);
u32 times_held(uptr lock);
bool holds(uptr lock, bool write);
// Without a choice: the caller found that it holds the lock, or that it does not any more.
void gained(uptr lock, bool write);
void forget(uptr lock);

// --- blocking calls of the operating system -------------------------------------------------------------------------

// Around a call that may wait for something outside of the program: others run meanwhile.
void leave_baton();
void take_baton();

// --- set-up -------------------------------------------------------------------------------------------------------

// Called by the initial thread first: it is actor 0. `threads` is the number of logical threads of an OpenMP team, 0
// if not given.
void start(u32 threads);
u32 logical_threads();
// In a forked child, which has one thread: control ends.
void stop();

// Does the scheduler choose at every atomic operation?
bool explores();
// Does the scheduler identify actors by name? Then everything that may run in another order must be an actor.
bool follows_names();
// Is each acquisition a step of its own? The caller that acquires cuts then.
bool splits_acquisitions();
// Before the active actor releases a lock. A try of another actor can tell whether that has happened, so the release
// is no part of the step before: a step that depends on that one could come between the two, and its actor then find
// the lock still held. (A wait for a condition variable releases its mutex in one step: Pending::releases.)
void about_to_release(uptr lock);

// A signal handler of the program begins. It runs alone, and has no choice points.
void enter_handler(uptr frame);
void leave_handler();
// It was left by a jump to a frame further up the stack.
void jumped_to(uptr stack);

namespace detail {
extern bool g_on;
extern __thread Actor* t_actor __attribute__((tls_model("initial-exec")));
extern __thread u32 t_handlers __attribute__((tls_model("initial-exec")));
}  // namespace detail

inline bool on() { return detail::g_on; }
inline bool active() { return HEDDLE_UNLIKELY(detail::t_actor != nullptr) && detail::t_handlers == 0; }

}  // namespace heddle::control
