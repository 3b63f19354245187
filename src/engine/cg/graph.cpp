#include "engine/cg/graph.hpp"

namespace heddle::engine {

Graph::Node Graph::make() {
  first_edge_.push_back(edges_.size());
  return nodes() - 1;
}

void Graph::start(TaskIndex task) {
  if (task >= current_.size()) current_.resize(task + 1);
  current_[task] = make();
}

Graph::Node Graph::go_on(TaskIndex task) {
  Node before = current_[task];
  current_[task] = make();
  edge(before, EdgeKind::kProgram);
  return before;
}

void Graph::fork(TaskIndex task, TaskIndex child) {
  Node before = go_on(task);
  start(child);
  edge(before, EdgeKind::kFork);
}

void Graph::join(TaskIndex task, TaskIndex child) {
  go_on(task);
  edge(current_[child], EdgeKind::kJoin);
}

void Graph::signal(TaskIndex task, ObjectIndex object, bool replace) {
  if (object >= objects_.size()) objects_.resize(object + 1);
  if (replace) objects_[object].clear();
  objects_[object].push_back(go_on(task));
}

void Graph::await(TaskIndex task, ObjectIndex object) {
  go_on(task);
  if (object >= objects_.size()) return;
  for (Node node : objects_[object]) edge(node, EdgeKind::kSignal);
}

void Graph::acquire(TaskIndex task, u32 number, bool write) {
  const Lock& lock = locks_[number];
  go_on(task);
  for (Node node : lock.writers) edge(node, EdgeKind::kLock);
  if (!write) return;
  for (Node node : lock.readers) edge(node, EdgeKind::kLock);
}

void Graph::release(TaskIndex task, u32 number, bool write) {
  Lock& lock = locks_[number];
  Node node = go_on(task);
  if (write) {  // it comes after all others, so it replaces them
    lock.writers = {node};
    lock.readers.clear();
  } else {
    lock.readers.push_back(node);
  }
}

}  // namespace heddle::engine
