// Watched memory: what is meant to be atomic (docs/atomicity.md), while the program runs.
//
// The rules are those of checker/atomicity/pairs.hpp. Here, singles are what the race checker remembers in the shadow anyway; beside the
// shadow lie only pairs and firsts, for 64 bytes at a time, where somebody said that they are meant or a region touched them.
//
// A pair's end may be an access that its strand has made before, which the access sets would not let through. So in blocks (256 bytes)
// with annotated data, and inside a region, nothing is marked as touched until it is settled: until a repetition could not change anything
// any more. Such accesses all come here. (Nothing is pending in such a block, and so no place is noted that the inlined path could
// compare with: it never marks anything there by itself.) A program that annotates nothing pays for a flag on the slow path of an access.
//
// Steps end where a strand ends, but for locks and atomic operations: TaskContext::within_step counts the strands that those began.
//
// Thread safety: pairs and firsts beside a block belong to whoever holds the block; those of a group have a lock of their own, which is taken
// while no block is held, and under which blocks are.
#pragma once

#include "checker/atomicity/moments.hpp"
#include "runtime/runtime.hpp"

namespace heddle::watched {

// Something is annotated, or every critical section is a region: whoever is on a slow path asks.
extern bool g_any;
// How often a block became watched: what was marked as touched before may hide an access to it.
extern std::atomic<u32> g_version;

// Where a task is, from its first access to something that is watched on.
struct Step {
  u64 number = 0;
  atomicity::Moments moments;
  u32 depth = 0;            // of regions that the source opened
  bool in_section = false;  // the critical section is one
  u32 in_function =
      0;  // so many frames were there when it was called, and it: it has returned when there are fewer. 0: in none
  u64 region = 0;  // number of the one that the task is in, or was last

  bool in_region() const { return depth || in_section || in_function; }
};
void destroy(Step* step);

// The bytes are meant to be atomic, each by itself, or as part of a group (new_group(); 0: of none).
void annotate(uptr address, usize size, u32 group);
u32 new_group();
// They are not, or no longer: they were freed, or are new.
void forget(Page& page, uptr begin, uptr end);
void forget(uptr address, usize size);

void begin_region(ThreadState& thread);
void end_region(ThreadState& thread);
inline bool in_region(const TaskContext& context) { return context.step && context.step->in_region(); }

// Some functions are regions: their entry is looked at. (Their end is noticed at the next access.)
extern bool g_functions;
void enter_function(ThreadState& thread, uptr pc);
inline void limit_frames(ThreadState& thread) {
  thread.frames_limit = g_functions ? thread.frames : thread.frames_end;
}

// Marks are of one step, and one region: changes with them.
inline u64 unit_of(const TaskContext& context) {
  const u64 region = in_region(context) ? context.step->region : 0;
  return u64{context.task->now - context.within_step} | region << 32;
}

// After the current task took or gave back a lock.
void locks_changed(ThreadState& thread);

// Takes an access inside one block, if it must: to a watched block, or in a region. False: it is like any other.
bool take(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc);

// The access is new to these granules: does it come between the accesses of a pair? REQUIRES: the block is held.
void intrude(ThreadState& thread, Block& block, uptr base, u32 granules, const race::Access& now);

// What the environment says: HEDDLE_ATOMIC, written by the tool.
void read_environment();

}  // namespace heddle::watched
