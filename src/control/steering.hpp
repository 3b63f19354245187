// What the tool asks of a steered execution, and what came of it: a part of the board (board.hpp). Active Testing (Park
// 2012, chapters 3 to 6) on the verification runtime.
//
// A *place* is a range of the program's code; a *site* is one of the accesses (or acquisitions) of a finding, and may
// have several places. Before it accesses memory at a site, an actor comes to a choice point (Op::kAccess), and again
// before its next access, wherever that is. A *strategy* chooses who runs: one a file, in control/strategies. A *goal*
// is what to look for while any strategy, or a schedule, is followed.
//
// Thread safety: everything here, and in control/strategies, runs while all other actors wait.
#pragma once

#include "control/strategy.hpp"
#include "control/strategy_registry.hpp"

namespace heddle::control {

struct Place {
  u64 begin, end;  // of the executable's file
  u32 site;
  u8 read, write, acquire;  // what is meant of it
  u8 held;                  // of a cycle: where the lock `held - 1` is acquired that is held at the site
};

// One edge of a cycle of locks: which task acquires which lock, in names that are the same in every execution (0: any),
// while so many others are held.
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
  u32 attempt = 0;          // which try this is, from 0
  u32 changes = 0;          // how often a strategy that counts them may change its mind: priorities of PCT
  u32 length = 0;           // how many steps an execution has, about
  u32 swapped = 0;          // who goes first when the two have met: the one at site 1
  u32 any_address = 0;      // the accesses need not touch the same bytes: variables that belong together
  u32 ignores_context = 0;  // of a cycle: which locks are held does not matter, only that some are
  u32 never_yields = 0;     // of a cycle: do not yield before the first lock of the cycle
  CycleEdge edge[kMostEdges] = {};  // by site
};

// From the program.
struct SteeringResult {
  u32 reached = 0;   // is the goal?
  u32 shown = 0;     // how many steps show it
  u32 followed = 0;  // of a race: so many steps have both accesses, one after the other; 0: none have
  u32 meeting[2] = {0, 0};
  u32 thrashes = 0;  // everybody was paused, and one was let go
  u32 releases = 0;  // a pause timed out: the others made no progress towards the goal
  u32 pauses = 0;
};

struct Steering : SteeringInput, SteeringResult {
  static constexpr u32 kMostPlaces = 4096;
  static constexpr u32 kMostHeld = 31;  // whose places are looked at, in one edge: bits of a word

  // From the tool.
  u32 debugged;  // stop_for_debugger() is to be called when so many steps were made, - 1; 0: never
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
// Which of the locks that are held at the site are acquired there, as bits.
u32 held_at_site(const Steering& steering, u32 site, uptr pc);

// What a lock, or the task that an actor runs, is called in every execution; 0: unknown. Null: nobody knows.
extern u64 (*name_of_lock)(uptr lock);
extern u64 (*name_of_task)(const Actor* actor);

// A debugger's breakpoint: the threads that are about to show the bug are where they are.
extern "C" void heddle_bug_is_next();

// As the board's strategy chooses.
Actor* steer(Actor* running);
// Before each choice: has the goal been reached? After each step: what has it done to the goal?
void look_for_goal();
void note_for_goal(Actor* actor, const Pending& pending);
// Nobody can run any more.
void note_deadlock();

}  // namespace heddle::control
