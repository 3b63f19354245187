// Which actor runs next? What a scheduler sees, and what it answers; greedy.cpp is the default.
//
// Thread safety: schedulers and hooks are called while all other actors wait.
#pragma once

#include "base/vector.hpp"
#include "control/control.hpp"

namespace heddle::control {

enum class State : u8 {
  kRuns,
  kWaits,  // at a choice point: `pending` says for what
  kAway,   // inside a blocking call of the operating system
  kLast,   // at the end of the process: goes on when nobody else can
  kEnded,
};

struct HeldLock {
  uptr lock;
  bool write;
  u32 times;
  uptr pc;  // where it was acquired
  // In an exploration: the same, as has_looked() knows it; and has the actor changed anything since?
  uptr place = 0;
  bool changed = false;
};

// What strategies that look for a bug remember of an actor (control/steering.hpp).
struct Steered {
  u32 priority = 0;       // PCT
  bool paused = false;    // held back
  bool let_go = false;    // it was; now it makes its step
  u32 paused_at = 0;      // which step came next then
  bool between = false;   // of the two accesses of a pair that is meant to be atomic
  bool intruded = false;  // and somebody else has come between them
  uptr address = 0;       // of the first one
  u32 size = 0;
  bool stops_next = false;  // before its next access, wherever that is
  bool yielded = false;     // before it enters a cycle of locks
};

struct Actor {
  // The name: which of its parent's children. The initial thread has no parent.
  Actor* parent = nullptr;
  u32 index = 0;
  u32 number = 0;
  u32 children = 0;
  const char* what = "";

  State state = State::kWaits;
  Pending pending;
  Outcome outcome = Outcome::kReady;
  u64 ran = 0;  // the step in which it last went on: lets those that yield take turns
  u32 steps = 0;
  u32 in_a_row = 0;  // steps since another actor made one
  Vector<HeldLock> held;

  u32 baton = 0;  // futex: see baton.cpp
  u32 looks = 0, atomics = 0;
  bool looks_again = false;
  Vector<Look> looked_at;  // since it last changed anything
  u32 looks_from = 0;      // for strategies: which step was the first of these
  bool let_go = false;     // nobody else can go on: it may look again
  u32 pauses = 0;          // sleeps and yields, since it did anything else
  u64 clock = 0;           // in an exploration: see now()
  u32 ready_at = 0;        // for strategies: when its wait was over
  Steered steered;
  u8 interrupted = 0;   // bits of Interrupt
  u64 signal_mask = 0;  // while it waits for the baton: the program's
  bool back_for_handler = false;
  bool begun = false;                   // its thread has come to begin()
  void (*start)(void* data) = nullptr;  // still to be called before it can run: start_when_chosen()
  void* start_data = nullptr;
  int os_id = 0;
  Actor* previous = nullptr;
  Actor* next = nullptr;
};

// All actors that have not ended, by their numbers: first, then ->next.
Actor* first_actor();
// Could it go on now? False for those that run, are away or have ended.
bool enabled(const Actor* actor);
// Does it stand at a repeated look, and could go on if it were none?
bool polls(const Actor* actor);

// What the core asks: greedy.cpp, or the board (guided.hpp), which asks a strategy of strategies/ in turn.
struct Scheduler {
  // `running` is at a choice point, or null: it has ended or gone away. To be chosen among those that are enabled; null
  // if none is, or none is to go on.
  Actor* (*choose)(Actor* running) = nullptr;
  // The number of a new actor, whose parent and index are known. Null: they are counted.
  u32 (*number)(Actor& actor) = nullptr;
  bool explores = false;
  // A choice point after each acquisition, too.
  bool splits_acquisitions = false;
  // At a cut: is somebody else to go on? Null: never.
  bool (*leaves_at_cut)(Actor* running) = nullptr;
  // Is it a deadlock, too, when some wait for each other in a circle while others can go on?
  bool stops_at_circles = false;
};

extern const Scheduler kGreedy;
void set_scheduler(const Scheduler* scheduler);

// At the start of each step, by the actor that makes it. Steps count from 0.
extern void (*on_step)(u64 step, Actor* actor, const Pending& pending);
u64 steps();
// The kernel's number of the thread that has the baton; 0: nobody. For whoever only watches.
int running_thread();

// Before the first actor besides the initial thread is made: up to here all executions are the same.
extern void (*before_first_actor)();

// The process ends, though some may still wait, or go on for ever.
extern void (*on_end)(bool endless);
// Nobody can go on. Says so and ends the process.
enum class Stall : u8 { kDeadlock, kLivelock };
extern void (*on_stall)(Stall kind);
// Who holds the lock in a mode that keeps the actor from taking it?
const Actor* holder(uptr lock, bool write, const Actor* actor);

}  // namespace heddle::control
