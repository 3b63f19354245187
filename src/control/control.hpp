// The verification runtime's core: exactly one logical thread runs; whoever else exists waits for the baton.
//
// A logical thread is an *actor*. Each has an operating-system thread of its own, so thread_local, errno and debuggers
// stay right; but only the one that holds the baton runs. It gives the baton away at *choice points*: before an
// acquisition, before anything that may block, when it ends. There a strategy (strategy.hpp) decides who goes on.
// Between choice points an actor runs alone.
//
// The real functions are still called (the real pthread_mutex_lock locks the real mutex): choose() returns only when
// the call cannot block, as nobody else runs meanwhile. Frontends ask active() first: in an ordinary run nothing here
// does anything.
//
// A *step* ends at each choice point and at each cut(); steps are what schedules are written in.
//
// Time is virtual: it stands still while anybody can go on, then it is as late as the first deadline. In an exploration
// it may pass at any moment instead: who sleeps can always go on, and who waits for a while may always find that it was
// long enough (Pending::timed).
//
// Ground rules: those of src/runtime/runtime.hpp. Knows nothing of tasks, clocks or shadow. All state is guarded by the
// baton; every function but on(), active() and take_baton() is for the actor that holds it.
#pragma once

#include "base/kinds.hpp"

namespace heddle::control {

struct Actor;

// Decided once, before the program's first instruction.
bool on();
// Is the calling thread an actor, outside of signal handlers?
inline bool active();

// What an actor is about to do.
using Op = StepOp;

constexpr u64 kNoDeadline = ~u64{0};

// What may end a wait before its time, as bits.
enum Interrupt : u8 { kBySignal = 1, kByCancellation = 2 };

struct Pending {
  Op op = Op::kChoice;
  bool write = true;
  bool outside = false;  // what it waits for may come from outside of the program
  bool yields = false;   // others go first, if any can
  bool takes =
      false;  // a wait that takes away what others wait for, too (a permit of a semaphore): who is first matters
  // With a deadline, and all that can end the wait happens in steps on `object`: in an exploration it is a choice that
  // is never disabled. Chosen before it was `enabled`, it has timed out.
  bool timed = false;
  bool looks =
      false;  // a choice that may change nothing: who makes it tells afterwards, by looked_at() or changed()
  bool repeats = false;  // it was done before at this place, in vain: see has_looked()
  u8 interruptible = 0;  // bits of Interrupt
  uptr object = 0;
  // Can it be done now? Null: always. Called by whoever holds the baton, at any choice point: must not change anything.
  bool (*enabled)(void* data) = nullptr;
  void* data = nullptr;
  // When it is chosen: what others did meanwhile may make it something else (it changes nothing after all).
  void (*settle)(Pending& pending) = nullptr;
  u64 deadline = kNoDeadline;     // in virtual nanoseconds: see now()
  const char* what = "";          // for reports of a stalled program: "joins a thread", "waits at a barrier"
  uptr pc = 0;                    // where in the program
  const Actor* awaits = nullptr;  // the only one that can help: its end is waited for
  u32 sites = 0;  // of kAccess: which of those that are looked for (control/steering.hpp), as bits
  u32 size = 0;   // of kAccess: bytes
};

// kOutside: nobody in the program can go on, so the caller must really wait, between leave_baton() and take_baton().
enum class Outcome : u8 { kReady, kTimedOut, kInterrupted, kCancelled, kOutside };

// A choice point. Returns when the actor is chosen: then `enabled` holds, unless the outcome says otherwise.
Outcome choose(const Pending& pending);
// A new step without a choice; but a schedule that is followed may want somebody else to go on.
void cut();
// The same, and nobody else goes on: for whoever holds a lock of the runtime.
void cut_here();
// Others go first, if any can; where executions are explored that is up to whoever schedules, and the actor can always
// go on.
void yield(const char* what = "yields", uptr pc = 0);
// In an exploration: somebody sleeps until then. It can always go on.
void pause(const char* what, uptr pc, u64 until = 0);

// As yield(), for code of a library whose steps are not explored: others always go first.
void let_others_go(const char* what, uptr pc);

// A signal was sent to an actor, or its cancellation asked for. The first is over when the actor has gone on, the
// second never.
void interrupt(Actor* actor, Interrupt by);

// --- spinning -------------------------------------------------------------------------------------------------------

// Something was looked at, and nothing came of it, in a way that explorations know nothing of (a descriptor, the end of
// a thread). Whoever only looks yields.
void looked(uptr pc = 0);
// The same in code of a library whose atomic operations are no steps: what it waits for is not known to an exploration.
void looked_unseen(uptr pc = 0);
// Something was changed that others may be looking for.
void changed(uptr pc = 0);

// In an exploration: a *look* is an operation that changes nothing: an atomic load, an exchange that failed or left the
// value as it was, a lock or permit that was not to be had, a wait that timed out, a critical section that only reads.
// Who looks at the same thing at the same place again, and has changed nothing in between, polls; so does whoever looks
// at several things in turn. A *repeated* look (Pending::repeats) can go on when something has changed of what the
// actor has looked at since it last changed anything; and when nobody else can go on, as a loop may have another end.
// That is assumed, by name: Assumption::kSpins.
//
// So a program that polls has finitely many executions; and who comes first, the change or the first look, is explored.
// It is one step with the look that it repeats, and depends on all changes of what was looked at.
struct Look {
  uptr place = 0;   // 0: something that was read in passing
  uptr object = 0;  // the address, if it is memory
  u64 value = 0;
  u32 size = 0;  // of memory, at most 8; 0: it is none
  // Of what is no memory. Null: never.
  bool (*changed)(const Look& look, const Actor& actor) = nullptr;
  bool write = false;    // of a lock: the mode
  bool section = false;  // a critical section that only read
  bool paused = false;   // since then the actor has slept, yielded, or run out of time
  u32 times = 0;
};
// The call of the running actor that returns to `pc`, with those that led to it: where compilers do not inline, all
// loads of a type return to one place.
extern uptr (*place_of)(uptr pc);
// Null: this is no repeated look. Always null where nothing is explored.
const Look* has_looked(uptr object, uptr pc);
// REQUIRES: explores().
void looked_at(const Look& look, uptr pc);
// Under a lock, memory was read or written. `own`: it lies on the actor's own stack.
void touched(uptr address, usize size, bool write, bool own);

// --- what an exploration takes for granted --------------------------------------------------------------------------

enum class Assumption : u32 {
  kStrongAtomics =
      1,           // weakly ordered atomic operations are explored as if they were sequentially consistent
  kTimeouts = 2,   // a timeout passes only when nothing else can go on
  kSpins = 4,      // a failed poll is retried only after another thread has made a visible step
  kInput = 8,      // what is read from outside is always the same
  kOwnLocks = 16,  // what one task acquires and another releases orders nothing
  kNoSpuriousWakeUps = 256,  // who waits for a condition variable goes on only after a notification
  kThreadsOwn = 1u << 20,    // what may belong to a thread does: see Own in runtime/state/thread_bound.hpp
  kClocks = 32,              // clocks show the time that sleeps and timeouts took, and no more
  kCutOff = 1 << 9,          // who waits for something from outside at the end of the process does not get it
  kSerialThread = 1 << 10,   // the last to come to a barrier is its serial thread
  kReadersFirst = 1 << 11,   // a reader does not wait for a writer that waits
  kTries =
      1
      << 12,  // a lock that is free is got by whoever tries it; weak exchanges fail only if the values differ
  kSignals = 1 << 13,        // a signal is handled as soon as its thread runs
  kOwnCopies = 1 << 14,      // the teams of a target region share nothing that only the region has
  kThreadNumbers = 1 << 15,  // a task runs on the thread that made it
};
void assume(Assumption assumption);
// Those so far, and from here on, are added to these bits.
void tell_assumptions(u32* bits);

// --- time -----------------------------------------------------------------------------------------------------------

// Virtual nanoseconds since the program's start. Each call takes some time itself, or whoever waits by looking at a
// clock would wait for ever. In an exploration each actor has a clock of its own, which is never behind what it has
// heard of: so what clocks show depends on what happened before, not on what others did meanwhile.
u64 now();

// --- actors ---------------------------------------------------------------------------------------------------------

// By the running actor: there is one more, which may be chosen from the next choice point on. `what` names its kind in
// reports.
Actor* create(const char* what);
// `start` sees to it that a thread comes to begin(); it is called when the actor is first chosen, by whoever gives the
// baton away. So actors that run one after the other may share a thread.
void start_when_chosen(Actor* actor, void (*start)(void* data), void* data);
// There will be something that concerns several actors (a group of tasks): what happens from here on is not the same in
// all executions.
void prepare();
// First thing on the new actor's own thread: returns when it is chosen for the first time. After end(), the same thread
// may begin another.
void begin(Actor* actor);
// Last thing: the baton goes to somebody else. The calling thread may do nothing of the program afterwards.
void end();
// By whoever is about to end the process, behind all that the program does at its end. Returns when no other actor can
// go on: then the process is to end. If an actor waits for another that waits for it, that is a deadlock, and it does
// not return.
//
// In reality the process may end at any moment from here on. What an exploration looks for it finds nevertheless: an
// execution that ends earlier makes the first steps, of each actor, of one that ends last. So each race, each failed
// assertion and each circle of actors that wait for each other in the first is in the second, too; and who waits for
// ever beside the end of the process is in no deadlock.
void wait_for_the_rest();
// The thread could not be made after all.
void withdraw(Actor* actor);
Actor* current();
bool ended(const Actor* actor);
// A number that is the same in every execution that names the actor the same.
u32 number(const Actor* actor);

// --- locks: who holds what, so that an acquisition is only chosen when it will succeed ------------------------------

// Choice points. Nested acquisitions by the holder count; readers (write = false) share. A deadline in virtual time.
Outcome acquire(uptr lock, bool write, u64 deadline = kNoDeadline, uptr pc = 0);
bool try_acquire(uptr lock, bool write, uptr pc = 0);
// Whoever holds it: the program may have reasons.
void release(uptr lock);
// Without a choice: could the actor (the running one, if null) take it now? How often does the running one hold it?
bool available(uptr lock, bool write, const Actor* actor = nullptr);
u32 times_held(uptr lock);
bool holds(uptr lock, bool write);
// Without a choice: the caller found that it holds the lock after all, or that nobody does any more.
void gained(uptr lock, bool write);
void forget(uptr lock);

// --- blocking calls of the operating system -------------------------------------------------------------------------

// Around a call that may wait for something outside of the program: others go on meanwhile.
void leave_baton();
void take_baton();

// --- how it is set up -----------------------------------------------------------------------------------------------

// By the initial thread, before it does anything: it is actor 0. `threads` is how many logical threads an OpenMP team
// is to have, 0 if nobody has said.
void start(u32 threads);
u32 logical_threads();
// In a forked child: it has one thread, and is its own.
void stop();

// Does the strategy want to be asked at every atomic operation?
bool explores();
// Does the strategy know actors by name? Then whatever may run in another order must be an actor of its own.
bool follows_names();
// Is each acquisition to be a step of its own? Whoever tells of acquisitions cuts then.
bool splits_acquisitions();

// A signal handler of the program runs: it takes part in nothing. It runs alone nevertheless.
void enter_handler(uptr frame);
void leave_handler();
// Or it is left by a jump to a place further up the stack.
void jumped_to(uptr stack);

namespace detail {
extern bool g_on;
extern __thread Actor* t_actor __attribute__((tls_model("initial-exec")));
extern __thread u32 t_handlers __attribute__((tls_model("initial-exec")));
}  // namespace detail

inline bool on() { return detail::g_on; }
inline bool active() { return HEDDLE_UNLIKELY(detail::t_actor != nullptr) && detail::t_handlers == 0; }

}  // namespace heddle::control
