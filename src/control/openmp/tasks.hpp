// Explicit tasks: created (tasks.cpp), queued (task_queue.cpp), ordered by depend clauses (depends.cpp), run by
// threads that wait for them (task_waits.cpp).
#pragma once

#include "control/openmp/core.hpp"
#include "control/openmp/tool.hpp"

namespace heddle::gomp {

// GCC's flags of GOMP_task and GOMP_taskloop.
enum TaskFlag : unsigned {
  kUntied = 1u << 0,
  kFinal = 1u << 1,
  kMergeable = 1u << 2,
  kDepend = 1u << 3,
  kPriority = 1u << 4,
  kUp = 1u << 8,
  kGrainsize = 1u << 9,
  kIf = 1u << 10,
  kNogroup = 1u << 11,
  kReduction = 1u << 12,
  kDetach = 1u << 13,
  kStrict = 1u << 14,
};

// --- creating and running -----------------------------------------------------------------------------------------

struct TaskRequest {
  void (*body)(void*) = nullptr;
  void* data = nullptr;
  void (*copy)(void*, void*) = nullptr;
  usize size = 0, align = 1;
  bool undeferred = false;  // by a clause
  unsigned flags = 0;       // of TaskFlag
  void** depend = nullptr;
  int priority = 0;
  void** event = nullptr;  // of a detachable task
  bool target = false;
  const void* pc = nullptr;
  // Of a taskloop: overwrites the first two words of the copy.
  bool has_range = false;
  u64 begin = 0, end = 0;
};
void make_task(Thread& thread, const TaskRequest& request);

// On the calling thread, on top of its current task. REQUIRES: it is in no queue, and has no predecessors left.
void run_task(Thread& thread, Task* task);

// Is it discarded because its taskgroup or its region was cancelled?
bool is_cancelled(const Task* task);

// --- one task at a time: turns.cpp ----------------------------------------------------------------------------------

// The current task creates a task that is an actor, outside of parallel regions.
void start_turns(Thread& thread);
// The current task takes its turn, or leaves the thread to others. Does nothing in parallel regions. A waiting task
// gives up its turn before, and takes the next one after the tool knows what it has waited for.
void take_turn(Thread& thread);
void give_turn(Thread& thread);

// --- queues ---------------------------------------------------------------------------------------------------------

void make_ready(Task* task);
void take(Task* task);
// Does no mutexinoutset clause keep the task from beginning?
bool could_begin(const Task* task);
// The first task that could begin now.
Task* runnable(const Queue& queue, Link link);
// The lock of a mutexinoutset clause.
uptr exclusion_lock(const Task* task, uptr address);

// --- waiting --------------------------------------------------------------------------------------------------------

// A wait of a thread. Meanwhile it runs tasks of the queue, all of which it has to wait for.
struct Wait {
  bool (*is_over)(const Wait& wait) = nullptr;
  const void* subject = nullptr;
  const Queue* queue = nullptr;
  Link link = Link::kTeam;
  const Task* target = nullptr;  // not null: only tasks that precede it by depend clauses
  // Not null: also tasks of the team that precede one of this group.
  const Group* group = nullptr;
  const Team* team = nullptr;
};
void work_until_over(Thread& thread, const Wait& wait, const char* what);
void wait_for_predecessors(Thread& thread, Task* task);

// --- depend clauses -------------------------------------------------------------------------------------------------

enum class DependKind : u8 { kOut, kIn, kMutexinoutset, kInoutset };
struct Depend {
  uptr address;
  DependKind kind;
};
// Reads GCC's array.
void read_depends(void** depend, Vector<Depend>& clauses);
// Finds the task's predecessors. `later_ones_wait`: tasks created afterwards may depend on it.
u64 new_search();
void add_depends(Task* parent, Task* task, const Vector<Depend>& clauses, bool later_ones_wait);
void tell_depends(Task* task, const Vector<Depend>& clauses);
// Does the task precede one that is wanted? `seen`: a number that no other search has.
template <class Wanted>
bool comes_before(Task* earlier, const Wanted& wanted, u64 seen = new_search()) {
  for (Task* successor : earlier->successors) {
    if (std::exchange(successor->seen, seen) == seen) continue;
    if (wanted(successor) || comes_before(successor, wanted, seen)) return true;
  }
  return false;
}
void destroy_depends(Task* parent);

// --- groups ---------------------------------------------------------------------------------------------------------

void open_group(Thread& thread, const void* pc, bool of_workshare = false);
void close_group(Thread& thread, const void* pc);

}  // namespace heddle::gomp
