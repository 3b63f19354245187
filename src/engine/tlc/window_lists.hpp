// The order of tlc.hpp in its exact form: a task's clock entry of a thread is a list of intervals of the thread's
// time, and times between them are concurrent.
#pragma once

#include <unordered_map>
#include <vector>

#include "engine/core.hpp"

namespace heddle::engine::tlc {

// Sorted, disjoint, not adjacent.
class Intervals {
 public:
  bool has(u32 time) const;
  void add(u32 first, u32 last);
  void add(const Intervals& other);

 private:
  struct Interval {
    u32 first, last;
  };
  std::vector<Interval> list_;
};

class Knowledge {
 public:
  bool has(u32 thread, u32 time) const { return thread < of_.size() && of_[thread].has(time); }
  void add(u32 thread, u32 first, u32 last) {
    if (thread >= of_.size()) of_.resize(thread + 1);
    of_[thread].add(first, last);
  }
  void add(const Knowledge& other) {
    if (other.of_.size() > of_.size()) of_.resize(other.of_.size());
    for (usize i = 0; i < other.of_.size(); ++i) of_[i].add(other.of_[i]);
  }

 private:
  std::vector<Intervals> of_;  // by thread
};

class WindowLists {
 public:
  WindowLists() { begin(0, 1); }

  void fork(TaskIndex task, TaskIndex child);
  void begin(TaskIndex task, u32 thread);
  void end(TaskIndex task);
  void join(TaskIndex task, TaskIndex child);
  void signal(TaskIndex task, ObjectIndex object, bool replace);
  void await(TaskIndex task, ObjectIndex object);
  void forget(ObjectIndex object);
  void acquire(TaskIndex task, u32 lock, bool write);
  void release(TaskIndex task, u32 lock, bool write);

  void enter(TaskIndex task) {
    if (running_[tasks_[task].thread] != task) schedule(task);
  }
  u32 thread(TaskIndex task) const { return tasks_[task].thread; }
  u32 now(TaskIndex task) const { return now_[tasks_[task].thread]; }
  bool concurrent(u32 thread, u32 time, TaskIndex task) const {
    const Task& t = tasks_[task];
    return !(thread == t.thread && time >= t.since) && !t.known.has(thread, time);
  }

 private:
  static constexpr TaskIndex kIdle = ~u32{0};
  struct Task {
    u32 thread = 0;
    u32 since = 0;  // runs since then; its own earlier times are in `known`
    Knowledge known;
  };
  struct Lock {
    Knowledge by_writers, by_readers;
  };

  Task& task(TaskIndex index);
  void schedule(TaskIndex index);
  // Adds the task's times since it began to run to `known`.
  const Knowledge& publish(TaskIndex index);

  std::vector<Task> tasks_;
  std::vector<u32> now_;
  std::vector<TaskIndex> running_;
  std::unordered_map<u32, u32> thread_numbers_;
  std::vector<Knowledge> objects_;
  std::unordered_map<u32, Lock> locks_;
};

}  // namespace heddle::engine::tlc
