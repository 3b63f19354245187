#include "engine/tlc/one_window.hpp"

#include <algorithm>

namespace heddle::engine::tlc {

// Rules (2) and (3): an ordinary arc; the window is dropped.
void OneWindow::up(StateVector& a, const StateVector& b, u32 thread) {
  a.max(b);
  a.window_begin = a.window_end = 0;
  a.thread = thread;
}

// Rules (4) and (5): the intersection stays in the window.
void OneWindow::up_tlc(StateVector& a, const StateVector& b, bool is_thread) {
  if (a.thread == StateVector::kNoThread) {
    // Clocks already known are not concurrent, whatever the window of the next signal.
    a.thread = b.thread;
    a.window_begin = b.thread == StateVector::kNoThread ? 0 : std::max(b.window_begin, a.at(b.thread));
    a.window_end = b.window_end;
  } else if (a.thread == b.thread && a.window_end < b.at(a.thread)) {
    a.window_begin = std::max(a.window_begin, b.window_begin);
    a.window_end = std::min(a.window_end, b.window_end);
  } else {
    a.window_begin = std::max(a.window_begin, b.at(a.thread));
  }
  a.max(b);
  if (a.window_begin >= a.window_end) {  // Norm
    a.window_begin = a.window_end = 0;
    if (!is_thread) a.thread = StateVector::kNoThread;
  }
}

// Rule (7), with the greater clock of the window's thread.
StateVector OneWindow::start(const StateVector& a, const StateVector& b) {
  StateVector result = b;
  if (b.thread == StateVector::kNoThread) return result;
  result.window_begin = b.at(b.thread);
  result.window_end = a.at(b.thread);
  result.set(b.thread, std::max(a.at(b.thread), b.at(b.thread)));
  if (result.window_begin >= result.window_end) result.window_begin = result.window_end = 0;
  return result;
}

OneWindow::Task& OneWindow::task(TaskIndex index) {
  if (index >= tasks_.size()) tasks_.resize(index + 1);
  return tasks_[index];
}

// The task continues where another one was: that one is initiated, this one is started.
void OneWindow::schedule(TaskIndex index) {
  u32 thread = tasks_[index].thread;
  TaskIndex before = running_[thread];
  if (before != kIdle) tasks_[before].waiting = threads_[thread];
  tick(thread);
  StateVector state = start(threads_[thread], tasks_[index].waiting);
  state.set(thread, now_[thread]);
  threads_[thread] = std::move(state);
  running_[thread] = index;
  tick(thread);
}

void OneWindow::fork(TaskIndex index, TaskIndex child_index) {
  task(child_index) = {};
  Task &parent = tasks_[index], &child = tasks_[child_index];
  if (running_[parent.thread] == kIdle) schedule(index);
  if (running_[parent.thread] != index) {  // suspended: a team is forked on its behalf
    child.waiting = parent.waiting;
    return;
  }
  child.waiting = threads_[parent.thread];  // rule (6)
  tick(parent.thread);
}

void OneWindow::begin(TaskIndex index, u32 number) {
  auto [found, is_new] = thread_numbers_.try_emplace(number, static_cast<u32>(threads_.size()));
  u32 thread = found->second;
  if (is_new) {
    threads_.emplace_back().thread = thread;
    now_.push_back(0);
    running_.push_back(kIdle);
    tick(thread);
  }
  task(index).thread = thread;
  if (index == 0) {
    running_[thread] = 0;
    return;
  }
  schedule(index);
}

void OneWindow::end(TaskIndex index) {
  enter(index);
  u32 thread = tasks_[index].thread;
  StateVector& clock = tasks_[index].waiting;
  clock = {};
  up(clock, threads_[thread], StateVector::kNoThread);
  tick(thread);
  running_[thread] = kIdle;
}

void OneWindow::join(TaskIndex index, TaskIndex child) {
  enter(index);
  up(state(index), tasks_[child].waiting, tasks_[index].thread);
  tick(tasks_[index].thread);
  tasks_[child] = {};
}

void OneWindow::signal(TaskIndex index, ObjectIndex object, bool replace) {
  enter(index);
  if (object >= objects_.size()) objects_.resize(object + 1);
  if (replace) objects_[object] = {};
  up_tlc(objects_[object], state(index), false);
  tick(tasks_[index].thread);
}

void OneWindow::await(TaskIndex index, ObjectIndex object) {
  enter(index);
  if (object >= objects_.size()) return;
  up_tlc(state(index), objects_[object], true);
  tick(tasks_[index].thread);
}

void OneWindow::forget(ObjectIndex object) {
  if (object < objects_.size()) objects_[object] = {};
}

void OneWindow::acquire(TaskIndex index, u32 number, bool write) {
  enter(index);
  Lock& lock = locks_[number];
  up(state(index), lock.by_writers, tasks_[index].thread);
  if (write) up(state(index), lock.by_readers, tasks_[index].thread);
  tick(tasks_[index].thread);
}

void OneWindow::release(TaskIndex index, u32 number, bool write) {
  enter(index);
  Lock& lock = locks_[number];
  up(write ? lock.by_writers : lock.by_readers, state(index), StateVector::kNoThread);
  tick(tasks_[index].thread);
}

}  // namespace heddle::engine::tlc
