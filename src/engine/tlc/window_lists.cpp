#include "engine/tlc/window_lists.hpp"

#include <algorithm>

namespace heddle::engine::tlc {

bool Intervals::has(u32 time) const {
  auto after = std::upper_bound(list_.begin(), list_.end(), time,
                                [](u32 value, const Interval& interval) { return value < interval.first; });
  return after != list_.begin() && time <= (after - 1)->last;
}

void Intervals::add(u32 first, u32 last) {
  auto from = std::lower_bound(list_.begin(), list_.end(), first, [](const Interval& interval, u32 value) {
    return interval.last + 1 < value;  // neither overlaps nor touches
  });
  auto to = from;
  for (; to != list_.end() && to->first <= last + 1; ++to) {
    first = std::min(first, to->first);
    last = std::max(last, to->last);
  }
  if (from == to) {
    list_.insert(from, {first, last});
  } else {
    *from = {first, last};
    list_.erase(from + 1, to);
  }
}

void Intervals::add(const Intervals& other) {
  if (list_.empty()) {
    list_ = other.list_;
    return;
  }
  for (const Interval& interval : other.list_) add(interval.first, interval.last);
}

WindowLists::Task& WindowLists::task(TaskIndex index) {
  if (index >= tasks_.size()) tasks_.resize(index + 1);
  return tasks_[index];
}

const Knowledge& WindowLists::publish(TaskIndex index) {
  Task& t = tasks_[index];
  if (running_[t.thread] != index) return t.known;  // updated when it stopped
  t.known.add(t.thread, t.since, now_[t.thread]);
  t.since = ++now_[t.thread];
  return t.known;
}

void WindowLists::schedule(TaskIndex index) {
  u32 thread = tasks_[index].thread;
  if (running_[thread] != kIdle) publish(running_[thread]);
  running_[thread] = index;
  tasks_[index].since = ++now_[thread];
}

void WindowLists::fork(TaskIndex index, TaskIndex child) {
  task(child);
  tasks_[child].known = publish(index);
}

void WindowLists::begin(TaskIndex index, u32 number) {
  auto [found, is_new] = thread_numbers_.try_emplace(number, static_cast<u32>(now_.size()));
  if (is_new) {
    now_.push_back(1);
    running_.push_back(kIdle);
  }
  task(index).thread = found->second;
  schedule(index);
}

void WindowLists::end(TaskIndex index) {
  enter(index);
  publish(index);
  running_[tasks_[index].thread] = kIdle;
}

void WindowLists::join(TaskIndex index, TaskIndex child) {
  enter(index);
  tasks_[index].known.add(tasks_[child].known);
  tasks_[child] = {};
}

void WindowLists::signal(TaskIndex index, ObjectIndex object, bool replace) {
  enter(index);
  if (object >= objects_.size()) objects_.resize(object + 1);
  if (replace) objects_[object] = {};
  objects_[object].add(publish(index));
}

void WindowLists::await(TaskIndex index, ObjectIndex object) {
  enter(index);
  if (object < objects_.size()) tasks_[index].known.add(objects_[object]);
}

void WindowLists::forget(ObjectIndex object) {
  if (object < objects_.size()) objects_[object] = {};
}

void WindowLists::acquire(TaskIndex index, u32 number, bool write) {
  enter(index);
  Lock& lock = locks_[number];
  tasks_[index].known.add(lock.by_writers);
  if (write) tasks_[index].known.add(lock.by_readers);
}

void WindowLists::release(TaskIndex index, u32 number, bool write) {
  enter(index);
  Lock& lock = locks_[number];
  (write ? lock.by_writers : lock.by_readers).add(publish(index));
}

}  // namespace heddle::engine::tlc
