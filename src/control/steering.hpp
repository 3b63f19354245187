// The request for a steered execution, and its result: a part of the board (board.hpp). Active Testing (Park 2012,
// chapters 3 to 6) on the verification runtime.
//
// A *place* is a range of the program's code; a *site* is one of the accesses (or acquisitions) of a finding, and may
// have several places. An actor has a choice point (Op::kAccess) before an access at a site, and another before its
// next access, wherever that is. A *strategy* chooses the active thread: one per file, in control/strategies. A
// *goal* is what to look for while any strategy, or a schedule, is followed.
//
// Thread safety: everything here, and in control/strategies, runs while all other actors are stopped.
#pragma once

#include "control/strategy.hpp"
#include "control/strategy_registry.hpp"

namespace heddle::control {

struct Place {
  u64 begin, end;  // in the executable's file
  u32 site;
  u8 read, write, acquire;  // the operations that count
  u8 held;                  // of a cycle: here the lock `held - 1` is acquired that is held at the site
};

// One edge of a cycle of locks: the task, the lock it acquires, and how many others it holds. Names are equal in
// every execution (0: any).
struct CycleEdge {
  u64 lock, task;
  u32 held;
};

// Names and addresses match by these rules, on the verification runtime and on the program's own.
inline bool may_be_the_same(u64 wanted, u64 name) { return wanted == 0 || name == 0 || wanted == name; }
inline bool overlap(uptr a, usize a_size, uptr b, usize b_size) { return a < b + b_size && b < a + a_size; }

// From the tool.
struct SteeringInput {
  static constexpr u32 kMostEdges = 31;  // of a cycle; sites are bits of a word, too

  StrategyId strategy = StrategyId::kNone;
  Goal goal = Goal::kNone;
  u64 seed = 1;
  u32 attempt = 0;      // number of this try, from 0
  u32 changes = 0;      // maximum number of changes of a strategy that counts them: priority changes of PCT
  u32 length = 0;       // approximate number of steps of an execution
  u32 swapped = 0;      // the access at site 1 goes first when the two have met
  u32 any_address = 0;  // the accesses need not overlap: related variables
  u32 ignores_context = 0;          // of a cycle: the held locks need not match, but some must be held
  u32 never_yields = 0;             // of a cycle: do not yield before the first lock of the cycle
  CycleEdge edge[kMostEdges] = {};  // by site
};

// From the program.
struct SteeringResult {
  u32 reached = 0;   // was the goal reached?
  u32 shown = 0;     // number of steps that show it
  u32 followed = 0;  // of a race: number of steps that have both accesses, one after the other; 0: none
  u32 meeting[2] = {0, 0};
  u32 thrashes = 0;  // all enabled actors were paused, and one was released
  u32 releases = 0;  // a pause timed out: the others made no progress towards the goal
  u32 pauses = 0;
};

struct Steering : SteeringInput, SteeringResult {
  static constexpr u32 kMostPlaces = 4096;
  static constexpr u32 kMostHeld = 31;  // number of held locks per edge: bits of a word

  // From the tool.
  u32 debugged;  // call stop_for_debugger() after so many steps, - 1; 0: never
  u32 places;
  u32 sites;  // how many there are

  // From the program.
  u64 bias;  // of the executable: address in memory - address in its file

  Place place[kMostPlaces];
};

// Bits of the sites that an access with this return address is at; 0: none.
u32 sites_of_access(const Steering& steering, uptr pc, bool write);
// The same of an acquisition.
u32 sites_of_acquisition(const Steering& steering, uptr pc);
// The locks held at the site that are acquired there, as bits.
u32 held_at_site(const Steering& steering, u32 site, uptr pc);

// The name of a lock, or of an actor's current task, equal in every execution; 0: unknown. Null: no names.
extern u64 (*name_of_lock)(uptr lock);
extern u64 (*name_of_task)(const Actor* actor);

// A breakpoint for a debugger: the threads are about to show the bug.
extern "C" void heddle_bug_is_next();

// As the board's strategy chooses.
Actor* steer(Actor* running);
// Before each choice: is the goal reached? After each step: what has it changed?
void look_for_goal();
void note_for_goal(Actor* actor, const Pending& pending);
// No actor is enabled.
void note_deadlock();

}  // namespace heddle::control
