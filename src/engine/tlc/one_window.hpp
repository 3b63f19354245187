// The order of tlc.hpp with one window: rules (1) to (7) of the paper, with their names.
#pragma once

#include <unordered_map>
#include <vector>

#include "engine/core.hpp"

namespace heddle::engine::tlc {

// A state vector: clocks of all threads, the window and its thread.
struct StateVector {
  static constexpr u32 kNoThread = ~u32{0};  // the paper's infinity

  std::vector<u32> clock;  // by thread; missing ones are 0
  u32 window_begin = 0, window_end = 0;
  u32 thread = kNoThread;

  u32 at(u32 i) const { return i < clock.size() ? clock[i] : 0; }
  void set(u32 i, u32 value) {
    if (i >= clock.size()) clock.resize(i + 1);
    clock[i] = value;
  }
  void max(const StateVector& other) {
    for (u32 i = 0; i < other.clock.size(); ++i)
      if (other.clock[i] > at(i)) set(i, other.clock[i]);
  }
  bool in_window(u32 of_thread, u32 time) const {
    return thread == of_thread && window_begin < time && time <= window_end;
  }
};

class OneWindow {
 public:
  OneWindow() { begin(0, 1); }

  void fork(TaskIndex task, TaskIndex child);
  void begin(TaskIndex task, u32 thread);
  void end(TaskIndex task);
  void join(TaskIndex task, TaskIndex child);
  void signal(TaskIndex task, ObjectIndex object, bool replace);
  void await(TaskIndex task, ObjectIndex object);
  void forget(ObjectIndex object);
  void acquire(TaskIndex task, u32 lock, bool write);
  void release(TaskIndex task, u32 lock, bool write);

  // Ensures that the task runs. REQUIRES: called before the next two.
  void enter(TaskIndex task) {
    if (running_[tasks_[task].thread] != task) schedule(task);
  }
  // The thread and the time of an access of the task.
  u32 thread(TaskIndex task) const { return tasks_[task].thread; }
  u32 now(TaskIndex task) const { return now_[tasks_[task].thread]; }
  bool concurrent(u32 thread, u32 time, TaskIndex task) const {
    u32 own = tasks_[task].thread;
    const StateVector& state = threads_[own];
    return state.in_window(thread, time) || (thread != own && time > state.at(thread));
  }

 private:
  static constexpr TaskIndex kIdle = ~u32{0};
  struct Task {
    u32 thread = 0;
    StateVector waiting;  // its synchronisation clock, while it does not run
  };
  struct Lock {
    StateVector by_writers, by_readers;
  };

  Task& task(TaskIndex index);
  StateVector& state(TaskIndex index) { return threads_[tasks_[index].thread]; }
  void schedule(TaskIndex index);
  void tick(u32 thread) { threads_[thread].set(thread, ++now_[thread]); }

  static void up(StateVector& a, const StateVector& b, u32 thread);       // rules (2), (3)
  static void up_tlc(StateVector& a, const StateVector& b, bool thread);  // rules (4), (5)
  static StateVector start(const StateVector& a, const StateVector& b);   // rule (7)

  std::vector<Task> tasks_;
  std::vector<StateVector> threads_;
  std::vector<u32> now_;
  std::vector<TaskIndex> running_;
  std::unordered_map<u32, u32> thread_numbers_;
  std::vector<StateVector> objects_;
  std::unordered_map<u32, Lock> locks_;
};

}  // namespace heddle::engine::tlc
