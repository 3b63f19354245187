// Writes the raw log (docs/raw-log.md): JSON lines, each with one write(2), to the descriptor in HEDDLE_LOG_FD. Without that variable
// (the program was started without `heddle run`) a short hint goes to stderr at exit instead.
#pragma once

#include "base/types.hpp"
#include "checker/deadlock/relation.hpp"
#include "checker/race/race_checker.hpp"
#include "control/strategy.hpp"
#include "runtime/state/thread_state.hpp"

namespace heddle::raw_log {

void open();
// The race of two accesses at an address. Each pair of program counters is written once per evidence level, then counted. Returns
// where. `unless`: a condition under which it is none, as docs/raw-log.md names it; null if there is none.
ThreadState::Reported& race(ThreadState& thread, uptr address, u32 granules, const race::Access& earlier,
                            const race::Access& now, race::Evidence evidence, const char* unless);
// An atomicity violation: two accesses of one step, and the one that can come between them, at a granule.
struct Violation {
  uptr granule;
  race::Access first, intruder, last;  // of the bytes that all three touch
  race::Evidence evidence;
  const uptr* group;  // addresses of the members; none for a location by itself
  u32 group_size;
};
// Each triple of program counters is written once per evidence level.
void violation(const Violation& found);
// A cycle of acquisitions, by strands that are task << 32 | index. Each cycle of program counters is written once, and once
// more if it happened: all of them wait.
void deadlock(const deadlock::Edge* edges, u32 count, bool happened);
// A thread is about to end: what it has counted for itself is counted for all.
void count_reported(ThreadState& thread);
void warning(const char* text);
// Something that the report does not speak for: a phrase for "not analysed: ...".
void not_analysed(const char* text);
// In a forked child: it is analysed, as a process of its own, which begins with what its parent knew; or it is not.
void begin_child(ThreadState& thread);
void leave_child_out();
// A child that is not analysed becomes another program.
void child_executes();
// Under the verification runtime: nobody can go on. What every actor waits for, with its stack. By whoever finds out, while all others
// stand still.
void stall(control::Stall kind);
// Counts, statistics and the end line; once.
void close(const char* reason);
// Nothing is written any more, not even the end: this process is one of many executions.
void mute();
// The descriptor, -1 when there is none: must survive a program that closes everything it does not know.
int descriptor();
// Writes the modules that were loaded since the list was last written.
void note_modules();

}  // namespace heddle::raw_log
