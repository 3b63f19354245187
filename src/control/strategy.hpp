// Which actor runs next? The interface of schedulers; greedy.cpp is the default.
//
// Thread safety: schedulers and hooks are called while all other actors are stopped.
#pragma once

#include "base/vector.hpp"
#include "control/control.hpp"

namespace heddle::control {

enum class State : u8 {
  kRuns,
  kWaits,  // at a choice point: `pending` says what it waits for
  kAway,   // inside a blocking call of the operating system
  kLast,   // at the end of the process: runs when no other actor is enabled
  kEnded,
};

struct HeldLock {
  uptr lock;
  bool write;
  u32 times;
  uptr pc;  // where it was acquired
  // In an exploration: the same, as has_looked() uses it; and has the actor changed anything since?
  uptr place = 0;
  bool changed = false;
};

// The state of an actor in strategies that look for a bug (control/steering.hpp).
struct Steered {
  u32 priority = 0;       // PCT
  bool paused = false;    // held back
  bool let_go = false;    // released from a pause: it makes its step now
  u32 paused_at = 0;      // the number of the next step at that time
  bool between = false;   // of the two accesses of a pair that is meant to be atomic
  bool intruded = false;  // another actor accessed in between
  uptr address = 0;       // of the first one
  u32 size = 0;
  bool stops_next = false;  // before its next access, wherever that is
  bool yielded = false;     // before it enters a cycle of locks
};

struct Actor {
  // The name: its position among its parent's children. The initial thread has no parent.
  Actor* parent = nullptr;
  u32 index = 0;
  u32 number = 0;
  u32 children = 0;
  const char* what = "";

  State state = State::kWaits;
  Pending pending;
  Outcome outcome = Outcome::kReady;
  u64 ran = 0;  // its last step: actors that yield take turns by this
  u32 steps = 0;
  u32 in_a_row = 0;  // steps since another actor made one
  Vector<HeldLock> held;
  uptr releasing = 0;  // at the cut before the release of this lock: see about_to_release()

  u32 baton = 0;  // futex: see baton.cpp
  u32 looks = 0, atomics = 0;
  bool looks_again = false;
  Vector<Look> looked_at;     // since it last changed anything
  u32 looks_from = 0;         // for strategies: the step of the first of these
  bool let_go = false;        // no other actor is enabled: it may poll again
  bool polled_alone = false;  // so was its last step
  u32 pauses = 0;             // consecutive sleeps and yields
  u64 clock = 0;              // in an exploration: see now()
  u32 ready_at = 0;           // for strategies: the step that enabled it
  Steered steered;
  u8 interrupted = 0;   // bits of Interrupt
  u64 signal_mask = 0;  // the program's mask, while the actor waits for the baton
  bool back_for_handler = false;
  bool begun = false;                   // its thread has called begin()
  void (*start)(void* data) = nullptr;  // to be called before it first runs: start_when_chosen()
  void* start_data = nullptr;
  int os_id = 0;
  Actor* previous = nullptr;
  Actor* next = nullptr;
};

// All actors that have not ended, by their numbers: first, then ->next.
Actor* first_actor();
// Is it enabled? False for active actors, and those that are in a blocking call or have ended.
bool enabled(const Actor* actor);
// Is it at a repeated poll, and otherwise enabled?
bool polls(const Actor* actor);

// The scheduler that the core calls: greedy.cpp, or the board (guided.hpp), which in turn calls a strategy of
// strategies/.
struct Scheduler {
  // `running` is at a choice point; null if it has ended or entered a blocking call. Returns an enabled actor; null
  // if there is none, or none is to run.
  Actor* (*choose)(Actor* running) = nullptr;
  // The number of a new actor, whose parent and index are known. Null: actors are numbered consecutively.
  u32 (*number)(Actor& actor) = nullptr;
  bool explores = false;
  // A choice point after each acquisition, too.
  bool splits_acquisitions = false;
  // A failed poll may be repeated at once, some times.
  bool repeats_polls = false;
  // At a cut: should another actor run? Null: never.
  bool (*leaves_at_cut)(Actor* running) = nullptr;
  // Is a cycle of waiting actors a deadlock even if others are enabled?
  bool stops_at_circles = false;
};

extern const Scheduler kGreedy;
void set_scheduler(const Scheduler* scheduler);

// At the start of each step, by the actor that makes it. Steps count from 0.
extern void (*on_step)(u64 step, Actor* actor, const Pending& pending);
u64 steps();
// The kernel's id of the thread that has the baton; 0: none. For observers.
int running_thread();

// Before the first actor besides the initial thread is created: all executions are equal up to here.
extern void (*before_first_actor)();

// The process ends, though some actors may still be blocked, or run forever.
extern void (*on_end)(bool endless);
// No actor is enabled. Reports it and ends the process.
enum class Stall : u8 { kDeadlock, kLivelock };
extern void (*on_stall)(Stall kind);
// An actor that holds the lock in a mode that keeps this one from acquiring it.
const Actor* holder(uptr lock, bool write, const Actor* actor);

}  // namespace heddle::control
