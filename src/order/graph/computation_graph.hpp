// The oracle of orders: the whole computation graph of a finished history, one node a strand, edges straight
// from the definitions, and the transitive closure. The dumbest thing that can be right; the engine of
// order/structure.hpp is right when it equals this.
//
//   Example: task 0 spawns 1, writes; 1 writes, ends; 0 waits for its children, reads.
//   Strands: a (0 before the spawn), b (0 after it), c (1), d (0 after the wait).
//   Edges: a->b, a->c, b->d, c->d. So b and c are parallel, and both come before d.
//
// Two orders: `structure` has the edges of program order, spawns, joins, barriers, dependences and signals;
// `full` has also those from the release of a lock to its later acquisitions, except from readers to readers.
//
// Cost: O(strands^2 / 64) words and O(edges * strands / 64) time. A history is a topological order of its own
// graph, so the strands before a new one are the union of what is before its predecessors.
#pragma once

#include <map>

#include "event/event.hpp"

namespace heddle::order {

class ComputationGraph {
 public:
  using Strand = u32;

  explicit ComputationGraph(const event::History& history);

  // The strand of the event's task right after the event; for an access, the strand that makes it.
  Strand strand_after(usize event) const { return strand_after_[event]; }
  u32 task_of(Strand strand) const { return task_of_[strand]; }

  // A strand does not come before itself.
  bool before_by_structure(Strand a, Strand b) const { return test(structure_, a, b); }
  bool before_in_full(Strand a, Strand b) const { return test(full_, a, b); }

 private:
  struct TaskNodes {
    u32 parent = 0;
    Strand current = 0;
    bool exists = false, undeferred = false;
    bool joined_implicitly = true;  // threads are not
    u32 team = ~0u;                 // for its threads and its work
    std::vector<u32> in_groups;     // the groups its parent had open when it was spawned
    std::vector<u32> open_groups;
    std::vector<event::Depend> depends;
    std::vector<u32> children;  // tasks, in the order of their spawns
  };
  struct TeamNodes {
    u32 parent = 0;
    Strand forked_at = 0;
    std::vector<u32> threads = {};
    std::vector<Strand> before_barrier = {};  // all that happens before leaving it
    u32 still_to_leave = 0;
  };
  struct LockNodes {
    std::vector<Strand> released_by_writers, released_by_readers;
  };

  bool test(const std::vector<u64>& rows, Strand a, Strand b) const {
    return rows[usize{b} * words_ + a / 64] >> (a % 64) & 1;
  }
  Strand make(u32 task);
  void edge(Strand from, Strand to, bool in_structure = true);
  Strand go_on(u32 task);  // the task's next strand, after its current one
  TaskNodes& create(u32 task, u32 parent, Strand after);
  std::vector<u32> predecessors(u32 parent, const std::vector<event::Depend>& depends, usize siblings) const;
  bool in_group(u32 task, u32 group) const;
  bool in_team(u32 task, u32 team) const;
  void add(const event::Event& event);

  usize words_;
  Strand count_ = 0;
  std::vector<u64> structure_, full_;
  std::vector<u32> task_of_;
  std::vector<Strand> strand_after_;
  std::vector<TaskNodes> tasks_;
  std::map<u32, TeamNodes> teams_;
  std::map<u32, std::vector<Strand>> objects_;
  std::map<u32, LockNodes> locks_;
  u32 groups_ = 0;
};

}  // namespace heddle::order
