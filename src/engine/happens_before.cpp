#include "engine/happens_before.hpp"

namespace heddle::engine {

HappensBefore::HappensBefore(bool with_locks) : with_locks_(with_locks) { start(0); }

void HappensBefore::FreeChains::pop_oldest() {
  if (++head == chains.size()) return clear();
  if (head < 32 || head < chains.size() / 2) return;
  chains.erase(chains.begin(), chains.begin() + static_cast<std::ptrdiff_t>(head));
  head = 0;
}

HappensBefore::Task& HappensBefore::task(TaskIndex index) {
  if (index >= tasks_.size()) tasks_.resize(index + 1);
  return tasks_[index];
}

void HappensBefore::start(TaskIndex index) {
  Task& t = task(index);
  t.now = u64{chains()} << 32 | 1;
  holders_.push_back(index);
  last_.push_back(0);
}

bool HappensBefore::usable(u32 chain, const Task& by) const {
  return by.known.get(in_clock(chain)) >= last_[chain];
}

// A free chain whose tasks all happen before the parent's current point: its own, then those of its ancestors (most
// tasks know the oldest), or a new one.
u32 HappensBefore::take_chain(TaskIndex parent) {
  const Task& by = tasks_[parent];
  auto take = [&](FreeChains& free, bool newest) -> u32 {
    if (free.empty()) return kNobody;
    u32 chain = newest ? free.newest() : free.oldest();
    if (!usable(chain, by)) return kNobody;
    newest ? free.pop_newest() : free.pop_oldest();
    return chain;
  };
  u32 chain = take(tasks_[parent].free, true);
  if (chain == kNobody) chain = take(tasks_[parent].free, false);
  TaskIndex at = parent;
  for (u32 climbed = 0; chain == kNobody && climbed < 4; ++climbed) {
    TaskIndex above = tasks_[at].parent;
    if (above == kNobody || tasks_[above].generation != tasks_[at].parent_generation) break;
    at = above;
    chain = take(tasks_[at].free, false);
  }
  if (chain == kNobody) chain = take(tasks_[0].free, false);
  if (chain != kNobody) return chain;
  holders_.push_back(kNobody);
  last_.push_back(0);
  return chains() - 1;
}

// The task's clock, its own epoch included: the reference is valid until the task acquires more.
const order::Clock& HappensBefore::publish(Task& t) {
  t.known.raise(in_clock(chain_of(t.now)), time_of(t.now));
  return t.known;
}

void HappensBefore::tick(TaskIndex index) { ++tasks_[index].now; }

bool HappensBefore::acquire_clock(Task& t, const order::Clock& clock) {
  if (clock.empty() || t.known.same_as(clock)) return false;
  t.known.join(clock);
  changed(t);
  return true;
}

void HappensBefore::acquire_clock(TaskIndex index, const order::Clock& clock) {
  acquire_clock(tasks_[index], clock);
}

order::Clock HappensBefore::snapshot(TaskIndex index) { return publish(tasks_[index]); }

void HappensBefore::fork(TaskIndex index, TaskIndex child_index) {
  task(child_index);
  u32 chain = take_chain(index);
  Task &parent = tasks_[index], &child = tasks_[child_index];
  child.known = publish(parent);
  changed(child);
  child.now = u64{chain} << 32 | (last_[chain] + 1);
  child.parent = index;
  child.parent_generation = parent.generation;
  holders_[chain] = child_index;
  ++parent.now;
}

void HappensBefore::join(TaskIndex index, TaskIndex child_index) {
  Task &t = tasks_[index], &child = tasks_[child_index];
  acquire_clock(t, publish(child));
  u32 chain = chain_of(child.now);
  last_[chain] = time_of(child.now);
  holders_[chain] = kNobody;
  ++child.generation;
  bool has_parent = child.parent != kNobody && tasks_[child.parent].generation == child.parent_generation;
  FreeChains& free = (has_parent ? tasks_[child.parent] : t).free;
  for (usize i = child.free.head; i < child.free.chains.size(); ++i) free.push(child.free.chains[i]);
  free.push(chain);
  child.free.clear();
  child.known.clear();
}

void HappensBefore::signal(TaskIndex index, ObjectIndex object, bool replace) {
  if (object >= objects_.size()) objects_.resize(object + 1);
  if (replace)
    objects_[object] = publish(tasks_[index]);
  else
    objects_[object].join(publish(tasks_[index]));
  ++tasks_[index].now;
}

void HappensBefore::forget(ObjectIndex object) {
  if (object < objects_.size()) objects_[object].clear();
}

bool HappensBefore::would_await(TaskIndex index, ObjectIndex object) const {
  return object < objects_.size() && !objects_[object].empty() &&
         !tasks_[index].known.same_as(objects_[object]);
}

bool HappensBefore::await(TaskIndex index, ObjectIndex object) {
  return object < objects_.size() && acquire_clock(tasks_[index], objects_[object]);
}

bool HappensBefore::would_acquire(TaskIndex index, u32 number, bool write) const {
  auto found = locks_.find(number);
  if (!with_locks_ || found == locks_.end()) return false;
  const Lock& lock = found->second;
  const order::Clock& known = tasks_[index].known;
  return (!lock.by_writers.empty() && !known.same_as(lock.by_writers)) || (write && !lock.by_readers.empty());
}

bool HappensBefore::acquire(TaskIndex index, u32 number, bool write) {
  if (!with_locks_) return false;
  Lock& lock = locks_[number];
  bool grew = acquire_clock(tasks_[index], lock.by_writers);
  if (write) grew |= acquire_clock(tasks_[index], lock.by_readers);
  return grew;
}

void HappensBefore::release(TaskIndex index, u32 number, bool write) {
  if (!with_locks_) return;
  Lock& lock = locks_[number];
  const order::Clock& known = publish(tasks_[index]);
  if (write) {  // a writer's clock includes all earlier holders
    lock.by_writers = known;
    lock.by_readers.clear();
  } else {
    lock.by_readers.join(known);
  }
  ++tasks_[index].now;
}

}  // namespace heddle::engine
