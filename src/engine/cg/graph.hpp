// The computation graph of a history (section 2 of the computation-graph paper, chapter 2 of the thesis): a node for
// each part of a task without synchronisation, an edge for each happens-before relation.
//
//   fork      C(t) -> the task's next node, C(t) -> the child's first
//   join      C(t), C(child) -> the task's next node
//   acquire   C(t), last -> next; `last` is per lock: the last writer's release and, for a writer, the readers' since
//   release   last = C(t); C(t) -> next
//   signal    C(t) is added to the object; C(t) -> next          await   all of the object -> next
//
// The papers have one global lock and so one `last`; signals are ours. A node's number is greater than those of its
// predecessors, so the numbers are a topological order.
#pragma once

#include <unordered_map>
#include <vector>

#include "engine/core.hpp"

namespace heddle::engine {

enum class EdgeKind : u8 { kProgram, kFork, kJoin, kLock, kSignal };

class Graph {
 public:
  using Node = u32;
  struct Edge {
    Node from;
    EdgeKind kind;
  };

  Graph() { start(0); }

  void fork(TaskIndex task, TaskIndex child);
  void join(TaskIndex task, TaskIndex child);
  void signal(TaskIndex task, ObjectIndex object, bool replace);
  void await(TaskIndex task, ObjectIndex object);
  void forget(ObjectIndex object) {
    if (object < objects_.size()) objects_[object].clear();
  }
  void acquire(TaskIndex task, u32 lock, bool write);
  void release(TaskIndex task, u32 lock, bool write);

  Node current(TaskIndex task) const { return current_[task]; }
  Node nodes() const { return static_cast<Node>(first_edge_.size()); }
  usize edge_count() const { return edges_.size(); }
  // The edges into a node.
  const Edge* begin(Node node) const { return edges_.data() + first_edge_[node]; }
  const Edge* end(Node node) const {
    return edges_.data() + (node + 1 < nodes() ? first_edge_[node + 1] : edges_.size());
  }
  usize memory() const { return edges_.capacity() * sizeof(Edge) + first_edge_.capacity() * sizeof(usize); }

 private:
  struct Lock {
    std::vector<Node> writers, readers;  // the next acquisition comes after their releases
  };

  Node make();
  void start(TaskIndex task);
  // Creates the task's next node, after its current one; more edges into it may follow.
  Node go_on(TaskIndex task);
  void edge(Node from, EdgeKind kind) { edges_.push_back({from, kind}); }

  std::vector<usize> first_edge_;  // by node; edges into a node are added before the next is made
  std::vector<Edge> edges_;
  std::vector<Node> current_;  // C, by task
  std::vector<std::vector<Node>> objects_;
  std::unordered_map<u32, Lock> locks_;
};

}  // namespace heddle::engine
