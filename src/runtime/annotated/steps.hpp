// Steps and regions: what a task does that is meant to be indivisible, while the program runs (docs/atomicity.md).
//
// Steps end where a strand ends, but for locks and atomic operations: TaskContext::within_step counts the strands that
// those began.
#pragma once

#include "checker/atomicity/pairs.hpp"
#include "runtime/annotated/step_log.hpp"
#include "runtime/state/process.hpp"

namespace heddle::annotated {

// A write to an annotated location that the step knows of only by an atomic operation on the location itself.
struct AcquiredWrite {
  const atomicity::Location* location;
  atomicity::Single write;
};

// Where a task is, from its first access to annotated data on.
struct Step {
  u64 number = 0;
  atomicity::Moments moments;
  StepLog log;
  Vector<AcquiredWrite> acquired_writes;
  u32 depth = 0;            // of regions that the source opened
  bool in_section = false;  // the critical section is one
  u32 in_function =
      0;  // so many frames were there when it was called, and it: it has returned when there are fewer. 0: in none
  u64 region = 0;  // number of the one that the task is in, or was last

  bool in_region() const { return depth || in_section || in_function; }
};
void destroy(Step* step);

// A thread of a team is another task after each barrier, in the same context.
inline u64 step_number(const TaskContext& context) {
  return u64{context.task->id} << 32 | (context.task->now - context.within_step);
}
Step& step_of(TaskContext& context);
// How much the current step has written down so far.
inline u32 logged(const TaskContext& context) {
  const Step* step = context.step;
  return step && step->number == step_number(context) ? step->log.size() : 0;
}

struct ExcludingLocksets {
  bool subset(u32 a, u32 b) const { return rt().locksets.subset(a, b); }
  bool exclude_each_other(u32 a, u32 b) const { return rt().locksets.share_a_lock(a, b); }
};
using Gaps = atomicity::Gaps<ExcludingLocksets>;
Gaps& all_gaps();

void begin_region(ThreadState& thread);
void end_region(ThreadState& thread);
inline bool in_region(const TaskContext& context) { return context.step && context.step->in_region(); }

// After the current task took or gave back a lock.
void locks_changed(ThreadState& thread);

// The function is a region: its entry is checked (g_looks_at_calls), its end is noticed at the next access.
void add_region_function(uptr address, usize size);
void enter_function(ThreadState& thread, uptr pc);
// Has the function that was a region returned?
void leave_function(ThreadState& thread);
// Marks are of one step, and one region: changes with them.
inline u64 unit_of(const TaskContext& context) {
  const u64 region = in_region(context) ? context.step->region : 0;
  return u64{context.task->now - context.within_step} | region << 32;
}

// This memory is new: what the current task's step did there was to something else.
void forget_in_step(uptr begin, uptr end);

}  // namespace heddle::annotated
