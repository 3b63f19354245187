// What the files of the verification runtime's core share: the actors, which one has the baton, and counters.
#pragma once

#include "base/spin_lock.hpp"
#include "base/system_call.hpp"
#include "control/strategy.hpp"

namespace heddle::control {

struct Core {
  SpinLock lock;  // guards the decision, and the fields below
  const Scheduler* scheduler = &kGreedy;
  Actor* first = nullptr;
  Actor* last = nullptr;
  Actor* running = nullptr;  // null: the baton is free
  u32 actors = 0;            // all that were ever created
  u32 live = 0, away = 0;
  u32 at_the_end = 0;  // actors at the end of the process: State::kLast
  u64 steps = 0;
  const Actor* stepped = nullptr;  // the actor of the last step
  u64 work = 0;                    // visible steps, without repeated polls
  u32 threads = 0;
  u64 now = 0;  // without exploration; with it each actor has its own clock
  // Polls since the last change, and the time of that change. Neither alone shows a livelock: polling actors may
  // compute in between.
  u64 polls = 0;
  u64 changed_at = 0;
  // In an exploration: failed polls since an atomic variable changed, an actor began or ended, or the clock was read.
  u64 failed_polls = 0;
};
extern Core g_core;

// The same as kPoll of deciding.cpp in an exploration, where each poll costs more.
constexpr u64 kPollExploring = 1'000'000;

// --- deciding.cpp ---

// Null: no actor is enabled, but one is in a blocking call. Holds the lock, and releases it while it waits for a
// signal.
Actor* decide(Actor* running);
Actor* first_deadline();
u64 deadline_of(const Actor& actor);
u64 time_of(const Actor& actor);
// No other actor is enabled, so its time passes.
Actor* run_out(Actor* actor);
[[noreturn]] void stalled(Stall kind);
bool closes_circle(const Actor& actor);
// A signal handler may do what all actors wait for.
bool signals_may_come();

// --- baton.cpp ---

// The values of an actor's baton word, apart from kAsleep.
constexpr u32 kWait = 0, kGo = 1;
constexpr u32 kKeepTime = 2;  // the baton is free: take it when your deadline has passed

// After the decision, with the lock held.
void hand_over(Actor* next);
void wait_for_baton(Actor* self);
// The program's handlers run on the active thread. Two signals cannot wait: the one by which the C library changes
// the user of all threads, and the one that collects a thread's last accesses (frontend/threads/final_flush.cpp).
class SignalsBlocked {
 public:
  SignalsBlocked();
  ~SignalsBlocked();
  u64 before() const { return before_; }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  u64 before_ = 0;
};

// --- choices.cpp ---

void step(Actor* self);
// The actor polls no longer. If the poll was repeated only because no other actor was enabled, the loop ended by
// itself.
void leave_polls(Actor& actor);

// --- polling.cpp ---

// More than a spin lock usually spins; few enough to cost no noticeable time.
constexpr u32 kMostLooks = 64;
// Some polls change something each time (a count of attempts), or acquire a lock.
constexpr u32 kMostAtomics = 4096;

void count_failed_poll();

}  // namespace heddle::control
