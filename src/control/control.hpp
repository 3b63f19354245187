// The verification runtime's core: exactly one logical thread runs; whoever else exists waits for the baton.
//
// A logical thread is an *actor*. Each has an operating-system thread of its own, so thread_local, errno and debuggers stay right; but
// only the one that holds the baton runs. It gives the baton away at *choice points*: before an acquisition, before anything that may
// block, when it ends. There a strategy decides who goes on. Between choice points an actor runs alone.
//
// The real functions are still called (the real pthread_mutex_lock locks the real mutex): choose() returns only when the call cannot
// block, as nobody else runs meanwhile. Frontends ask on() first: in an ordinary run nothing here does anything.
//
// A *step* ends at each choice point and at each cut(); steps are what schedules are written in.
//
// Ground rules: those of src/runtime/runtime.hpp. Knows nothing of tasks, clocks or shadow. All state is guarded by the baton.
#pragma once

#include "base/types.hpp"

namespace heddle::control {

struct Actor;

// Decided once, before the program's first instruction.
bool on();

// What an actor is about to do. The names are those of explore::Op.
enum class Op : u8 { kStart, kAcquire, kTryAcquire, kWait, kAtomic, kChoice, kGoOn };

struct Pending {
  Op op = Op::kChoice;
  uptr object = 0;
  bool write = true;
  // Can it be done now? Null: always. Called by whoever holds the baton, at any choice point: must not change anything.
  bool (*enabled)(void* data) = nullptr;
  void* data = nullptr;
  // Gives up when nothing else in the program can go on (a timeout: time is virtual).
  bool timed = false;
  const char* what = "";  // for reports of a stalled program: "joins a thread", "waits at a barrier"
};

enum class Outcome : u8 { kReady, kTimedOut };

// A choice point. Returns when the actor is chosen: then `enabled` holds, unless it timed out.
Outcome choose(const Pending& pending);
// A new step without a choice.
void cut();
// The actor spins or sleeps: others go first, if any can.
void yield();

// --- actors ----------------------------------------------------------------------------------------------------------

// By the running actor: there is one more, which may be chosen from the next choice point on. `what` names its kind in reports.
Actor* create(const char* what);
// First thing on the new actor's own thread: returns when it is chosen for the first time.
void begin(Actor* actor);
// Last thing: the baton goes to somebody else. The calling thread may do nothing of the program afterwards.
void end();
// The thread could not be made after all.
void withdraw(Actor* actor);
Actor* current();
bool ended(const Actor* actor);
// A number that is the same in every execution that names the actor the same.
u32 number(const Actor* actor);

// --- locks: who holds what, so that an acquisition is only chosen when it will succeed --------------------------------

// Choice points. Nested acquisitions by the holder count; readers (write = false) share.
void acquire(uptr lock, bool write);
Outcome acquire_timed(uptr lock, bool write);
bool try_acquire(uptr lock, bool write);
void release(uptr lock);
// Not by a choice: the caller found that it holds the lock (or that it does not, after all).
void forget(uptr lock);

// --- blocking calls of the operating system ---------------------------------------------------------------------------

// Around a call that may wait for something outside of the program: others go on meanwhile.
void leave_baton();
void take_baton();

}  // namespace heddle::control
