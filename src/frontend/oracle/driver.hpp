// A random program that runs in this process: each event of its history becomes the calls that a frontend makes for it,
// each access a call of the hook that a compiler would have put there.
//
// One OS thread plays all threads of the program, one event at a time: `self` is switched. Everything below the hooks
// is the code that is linked into programs, in one long process: what one program leaves in caches is there when the
// next one runs. Its memory is made new in between.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "checker/race/race_checker.hpp"
#include "event/event.hpp"
#include "order/builder/order_builder.hpp"
#include "runtime/runtime.hpp"

namespace heddle::oracle {

// Where the memory of the programs lies; addresses of a history count from here.
uptr memory_base();

// A call of raw_log::race.
struct Report {
  uptr block;    // as an address of the history
  u32 granules;  // as bits
  race::Access earlier, now;
  race::Evidence evidence;
  bool conditional;  // it is none under a condition, of which nothing is known
};

// A call of raw_log::violation.
struct Violation {
  u64 granule;  // as an address of the history
  race::Access first, intruder, last;
};

// What the runtime knew an access by.
struct Touch {
  u64 strand = 0;
  u64 released = 0;  // the task's last release before it: a strand
  bool quiescent =
      false;  // nothing could race with it: nor has the task spawned anything since nothing could
  // Tasks of one thread that share their marks of reads (races/shared_marks.hpp): equal for all of them; 0: none.
  u64 sharers = 0;
};

// In a steered execution (controlled/places.hpp): the thread could have been stopped before it.
struct Stop {
  u32 event;
  u64 address, size;
  bool write, atomic;
};

struct Observed {
  std::vector<Touch> touches;  // for each event; empty if it is no access
  std::vector<Report> reports;
  std::vector<Stop> stops;
  // Where data is annotated: for each event its task and step, and what was called broken.
  std::vector<u64> steps;
  std::vector<Violation> violations;
  // In a recorded run: the history that the tool reads, and what it calls the tasks.
  event::History recorded;
  std::vector<u32> recorded_as;
};

// The call of the oracle (variation.hpp) that a call stack of the runtime ends in.
u32 call_of_stack(StackId stack);

// What a frontend would never do is taken out of a generated history, and what it always does is added. A thread that
// was spawned runs no task but its own, and what is undeferred there. An undeferred task runs on its parent's thread.
// Memory is reused when whoever touched it has released something since, chunks of loops before their end: what is
// pending or marked elsewhere is lost then (docs/internals/access-path.md). In a recorded run, who touches new memory
// has drawn a ticket since it became new (docs/internals/recording.md). Where data is annotated, a compound access is
// two; nothing belongs to a thread, and no signal travels by an atomic variable: what that means for steps is not what
// all triples say (docs/atomicity.md).
event::History settle(const event::History& history);

// REQUIRES: a legal history that settle() returned.
Observed drive(const event::History& history);

// --- modes: each for all that this process still drives --------------------------------------------------------------

// Every access is at a place where an actor may be stopped.
void steer();
// What the programs do is recorded, and not checked.
void record();
// Some of their data is annotated (annotation.hpp); races are looked for as well, or not.
void annotate(bool races_too);

}  // namespace heddle::oracle
