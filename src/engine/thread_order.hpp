// Happens-before between operating-system threads, with the interface of HappensBefore: the view of a tool that
// ignores tasks. Two tasks that one thread ran one after the other are ordered; forks, joins and dependences order
// threads.
#pragma once

#include <unordered_map>
#include <vector>

#include "engine/happens_before.hpp"

namespace heddle::engine {

class ThreadOrder {
 public:
  explicit ThreadOrder(bool with_locks = true) : order_(with_locks) {
    thread_of_ = {0};
    actors_[kInitialThread] = 0;
  }

  void fork(TaskIndex task, TaskIndex child) { order_.signal(actor(task), 3 * child + 1, true); }
  void begin(TaskIndex task, u32 thread) {
    auto [found, is_new] = actors_.try_emplace(thread, static_cast<u32>(actors_.size()));
    if (is_new) order_.start(found->second);
    if (task >= thread_of_.size()) thread_of_.resize(task + 1);
    thread_of_[task] = found->second;
    order_.await(actor(task), 3 * task + 1);
  }
  void end(TaskIndex task) { order_.signal(actor(task), 3 * task + 2, true); }
  void join(TaskIndex task, TaskIndex child) {
    order_.await(actor(task), 3 * child + 2);
    order_.forget(3 * child + 1);
    order_.forget(3 * child + 2);
  }
  void signal(TaskIndex task, ObjectIndex object, bool replace) {
    order_.signal(actor(task), 3 * object, replace);
  }
  bool await(TaskIndex task, ObjectIndex object) { return order_.await(actor(task), 3 * object); }
  void forget(ObjectIndex object) { order_.forget(3 * object); }
  bool acquire(TaskIndex task, u32 lock, bool write) { return order_.acquire(actor(task), lock, write); }
  void release(TaskIndex task, u32 lock, bool write) { order_.release(actor(task), lock, write); }

  Epoch now(TaskIndex task) const { return order_.now(actor(task)); }
  bool before(Epoch epoch, TaskIndex task) const { return order_.before(epoch, actor(task)); }
  u32 chains() const { return order_.chains(); }

 private:
  static constexpr u32 kInitialThread = 1;  // as event/event.hpp counts them
  TaskIndex actor(TaskIndex task) const { return thread_of_[task]; }

  HappensBefore order_;
  std::vector<TaskIndex> thread_of_;
  std::unordered_map<u32, TaskIndex> actors_;
};

}  // namespace heddle::engine
