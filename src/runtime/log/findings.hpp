// Races, atomicity violations and deadlocks, as lines of the raw log.
#pragma once

#include "checker/deadlock/relation.hpp"
#include "checker/race/race_checker.hpp"
#include "runtime/state/thread_state.hpp"

namespace heddle::raw_log {

// The race of two accesses in these granules of a block of 256 bytes. Each pair of program counters is written once per
// evidence level, then counted. Returns where. `unless`: a condition under which it is none, as docs/raw-log.md names
// it; null if there is none.
ThreadState::Reported& race(ThreadState& thread, uptr block, u32 granules, const race::Access& earlier,
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
// A cycle of acquisitions, by strands that are task << 32 | index. Each cycle of program counters is written once, and
// once more if it happened: all of them wait.
void deadlock(const deadlock::Edge* edges, u32 count, bool happened);
// A thread is about to end: what it has counted for itself is counted for all.
void count_reported(ThreadState& thread);

// A forked child has found nothing yet.
void forget_findings(ThreadState& thread);

// When the log is closed: counts what all threads have counted for themselves, and writes how often each finding was
// met. Returns how often two accesses raced. REQUIRES: g_lock.
u64 write_hits();
struct Found {
  u32 races, certain_races;  // pairs of program counters
  usize deadlocks;           // cycles of lock dependencies
};
Found found();

}  // namespace heddle::raw_log
