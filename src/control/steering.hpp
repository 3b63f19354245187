// What the tool asks of a steered execution, and what came of it: a part of the board (board.hpp). Active Testing (Park 2012, chapters 3
// to 6), on the verification runtime.
//
// A *place* is a stretch of the program's code; a *site* is one of the accesses (or acquisitions) of a finding, and may have several places.
// Before it accesses memory at a site, an actor comes to a choice point (Op::kAccess), and again before its next access, wherever that
// is. A *plan* is how to steer: one strategy a file, in
// control/strategies. A *goal* is what to look for while any plan, or a schedule, is followed.
//
// Here, and in all files of control/strategies, everything runs with everybody else standing still.
#pragma once

#include "control/strategy.hpp"

namespace heddle::control {

enum class Plan : u32 {
  kFollow,  // the prefix, then greedily
  kRandom,
  kPct,
  kMeet,       // race-directed: bring two actors to two sites
  kAtomicity,  // let an intruder in between two accesses
  kDeadlock,   // hold actors back before the acquisitions of a cycle
};

enum class Goal : u32 {
  kNone,
  kRace,       // two actors are about to access the same bytes at sites 0 and 1, one of them writes
  kMeet,       // two actors are at sites 0 and 1
  kAtomicity,  // one has made the access of site 0, another that of site 1, then the first that of site 2
  kDeadlock,   // those that are in a circle wait at the sites
};

struct Place {
  u64 begin, end;  // of the executable's file
  u32 site;
  u8 read, write, acquire;  // what is meant of it
  u8 held;                  // of a cycle: where the lock `held - 1` is acquired that is held at the site
};

// One of a cycle of locks: who acquires which lock, in names that mean the same in every execution (0: any), while so many others are held.
struct CycleEdge {
  u64 lock, task;
  u32 held;
};

struct Steering {
  static constexpr u32 kMostPlaces = 4096;
  static constexpr u32 kMostHeld = 31;   // whose places are looked at, in one edge: bits of a word
  static constexpr u32 kMostEdges = 31;  // of a cycle; sites are bits of a word, too

  // From the tool.
  Plan plan;
  Goal goal;
  u64 seed;
  u32 changes;          // PCT: how many times a priority changes
  u32 length;           // PCT: how many steps an execution has, about
  u32 swapped;          // who goes first when the two have met: the one at site 1
  u32 any_address;      // the accesses need not touch the same bytes: variables that belong together
  u32 debugged;         // stop_for_debugger() is to be called when so many steps were made, - 1; 0: never
  u32 ignores_context;  // of a cycle: which locks are held does not matter, only that some are
  u32 never_yields;     // of a cycle: nobody lets others go first before it enters one
  CycleEdge edge[kMostEdges];  // by site
  u32 places;
  u32 sites;  // how many there are

  // From the program.
  u32 reached;   // is the goal?
  u32 shown;     // how many steps show it
  u32 followed;  // of a race: so many steps have both accesses, one after the other; 0: none have
  u32 meeting[2];
  u32 thrashes;  // everybody was paused, and one was let go
  u32 releases;  // one was let go because the others came to nothing for too long
  u32 pauses;
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

// A debugger's breakpoint: those who are about to show the bug stand where they are.
extern "C" void heddle_bug_is_next();

// The strategy of the board's plan.
Actor* steer(Actor* running);
// Before each choice: has the goal been reached? After each step: what has it done to the goal?
void look_for_goal();
void note_for_goal(Actor* actor, const Pending& pending);
// Nobody can go on.
void note_standstill();

}  // namespace heddle::control
