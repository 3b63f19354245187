// depend clauses: which earlier siblings a task must wait for (OpenMP 5.1, section 2.19.11).
//
// Per address, tasks form generations. `in`, `inoutset` and `mutexinoutset` tasks in a row share one; any other kind
// opens the next. A task waits for the whole generation before its own, which waited for the one before, and so on. The
// edges are computed from the clauses alone: OMPT names a dependence only if its predecessor happened to be unfinished,
// so its edges would depend on the schedule.
//
// A dependence is a signal from the predecessor's end to the successor's begin. Successors carry on the chain of one
// predecessor, so that a pipeline of any length needs as many clock entries as it is wide.
#pragma once

#include "base/hash_map.hpp"
#include "base/kinds.hpp"
#include "order/dpst/task.hpp"

namespace heddle::order {

struct Depend {
  uptr address;
  DependKind kind;
};

// One task with depend clauses. Held by the table, by its successors until they begin, and by its own task until it
// ends.
struct DependNode {
  Task* task = nullptr;  // null for a `taskwait depend`, whose waiting is its parent's
  std::atomic<u32> references{1};
  std::atomic<bool> chain_taken{false};
  Snapshot at_end;
  Vector<DependNode*> predecessors;
};

// The holder has no more use for it.
void let_go(DependNode* node);
void release_predecessors(DependNode& node);

// The clauses of one task's children. REQUIRES: used only by the thread that runs that task.
class DependTable {
 public:
  ~DependTable();

  // Call right after spawning `child`; the node is the caller's until finish().
  static DependNode* add(Task& parent, Task& child, const Depend* depends, u32 count);
  // The predecessors of a `taskwait depend(...)` with these clauses. REQUIRES: the node is released by
  // release_predecessors().
  void collect(DependNode& node, const Depend* depends, u32 count);

 private:
  struct Generation {
    DependKind kind;
    Vector<DependNode*>* members;
    Vector<DependNode*>* before;
  };

  void connect(DependNode& node, const Depend& depend, bool joins_generation);
  void connect_all(DependNode& node);

  HashMap<Generation> by_address_;
  DependNode* all_memory_ = nullptr;  // the last task with depend(out: omp_all_memory)
};

}  // namespace heddle::order
