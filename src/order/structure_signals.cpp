// Signals and locks: what a task releases is a snapshot of its clocks, which name tasks by chains.
#include "order/structure.hpp"

namespace heddle::order {

void Structure::ensure_chain(Task& task) {
  if (task.chain.load(std::memory_order_acquire)) return;
  SpinGuard guard(chain_lock_);
  if (task.chain.load(std::memory_order_relaxed)) return;
  FreeChain chain{0, 0};
  // What may be carried on by the tasks of a scope may be carried on by their descendants, too. Without that, a
  // recursion would take new chains at every level, and clocks would grow with the number of tasks.
  for (const Task* t = &task; t && t->wait && !chain.id; t = t->parent) {
    SpinGuard scope_guard(t->wait->lock);
    if (InheritedClocks* inherited = t->wait->inherited; inherited && !inherited->pool.empty()) {
      chain = inherited->pool.back();
      inherited->pool.pop_back();
    }
  }
  // An element number must stay below 2^32: a chain that is nearly full is left alone.
  if (chain.id == 0 || chain.next_base > (1u << 31)) {
    chain = {next_chain_.fetch_add(1, std::memory_order_relaxed), 0};
  }
  task.chain_base = chain.next_base;
  task.chain.store(chain.id, std::memory_order_release);
}

// Before it publishes anything: the task can be named, and its clocks name the spawning strands of its ancestors.
// Clocks are always closed under this, so the climb stops at the first ancestor that is known already. A lock tells of
// the full order only.
void Structure::enter(Task& task, Order order) {
  Live& live = *task.live;
  Named& named = live.named;
  const Named needed = order == Order::kFull ? Named::kInFull : Named::kInBoth;
  if (named >= needed) return;
  ensure_chain(task);
  auto name = [&](Clock& clock) { name_ancestors(task, clock); };
  if (needed == Named::kInBoth)
    live.knows.change_both(name);
  else
    live.knows.change_full(name);
  named = needed;
}

void Structure::name_ancestors(const Task& task, Clock& clock) {
  Index at = task.spawned_at;
  for (Task* t = task.parent; t; at = t->spawned_at, t = t->parent) {
    ensure_chain(*t);
    const u32 element = t->chain_base + at;
    const u32 chain = t->chain.load(std::memory_order_relaxed);
    if (clock.get(chain) >= element) return;
    clock.raise(chain, element);
  }
}

EndSnapshot Structure::end_snapshot(Task& task) {
  EndSnapshot left{task.live->knows, &task, task.now};
  task.kept.store(true, std::memory_order_relaxed);
  task.last_signal.store(task.now, std::memory_order_relaxed);
  task.last_release.store(task.now, std::memory_order_relaxed);
  task.live->released_at = ++task.now;
  return left;
}

void Structure::acquire_snapshot(Task& task, const EndSnapshot& left) {
  Task& teller = *left.task;
  if (known_by_structure(teller, task) >= left.at) return;
  ensure_chain(teller);
  Snapshot known(left.knows, teller.chain.load(std::memory_order_relaxed), teller.chain_base + left.at);
  known.change_both([&](Clock& clock) { name_ancestors(teller, clock); });
  acquire_snapshot(task, known);
}

Snapshot Structure::snapshot(Task& task) {
  Live& live = *task.live;
  enter(task, Order::kBoth);
  Snapshot known(live.knows, task.chain.load(std::memory_order_relaxed), task.chain_base + task.now);
  known.from = task.wait ? task.wait->name : 0;
  task.last_signal.store(task.now, std::memory_order_relaxed);
  task.last_release.store(task.now, std::memory_order_relaxed);
  note_release(task);
  return known;
}

// Most who publish at an object have acquired what was there, there or elsewhere: then nothing need be joined.
void Structure::put(SyncObject& object, Snapshot& known, bool only) {
  Snapshot& there = object.knowledge;
  if (only || there.empty() || known.includes(there.chain, there.element) ||
      (there.chain && there.chain == known.chain && there.element < known.element))
    there = std::move(known);
  else
    there.join(known);
  object.changed();
}

void Structure::publish(Task& task, SyncObject& object) {
  Snapshot known = snapshot(task);
  SpinGuard guard(object.lock);
  put(object, known, false);
  if (listener_) listener_->published(task, object, false);
}

void Structure::publish_only(Task& task, SyncObject& object) {
  Snapshot known = snapshot(task);
  SpinGuard guard(object.lock);
  put(object, known, true);
  if (listener_) listener_->published(task, object, true);
}

void Structure::acquire_snapshot(Task& task, const Snapshot& knowledge) {
  if (knowledge.empty() || (knowledge.chain && knowledge.chain == task.chain.load(std::memory_order_relaxed)))
    return;
  Knowledge& knows = task.live->knows;
  if (knows.includes(knowledge.chain, knowledge.element)) return;
  const bool grown = knows.join(knowledge);
  if (knowledge.chain)
    knows.raise(knowledge.chain, knowledge.element);
  else if (!grown)
    return;  // nothing new: the same strand
  if (!comes_from_siblings(task, knowledge.from)) task.live->has_acquired = true;
  task.acquired_at = ++task.now;
}

void Structure::await(Task& task, SyncObject& object) {
  Snapshot known;
  {
    SpinGuard guard(object.lock);
    if (listener_) listener_->awaited(task, object);
    if (knows(task, object)) return;
    known = object.knowledge;
  }
  acquire_snapshot(task, known);
}

void Structure::acquire(Task& task, LockObject& lock, Mode mode) {
  task.kept.store(true, std::memory_order_relaxed);
  Clock by_writers, by_readers;
  StrandName released;
  bool from_sibling;
  {
    SpinGuard guard(lock.lock);
    // Whoever comes after the last writer anyway acquires nothing from its clock.
    const Task* writer = lock.last_writer;
    if (writer && known_in_full(*writer, task) < lock.released_at) {
      by_writers = lock.by_writers;
      released = {writer->chain.load(std::memory_order_acquire), writer->chain_base + lock.released_at};
    }
    from_sibling = writer && comes_from_siblings(task, writer->wait ? writer->wait->name : 0);
    if (mode == Mode::kWrite) {
      if (HEDDLE_UNLIKELY(!lock.by_readers.empty())) by_readers = lock.by_readers;
      lock.holder = &task;
    }
  }
  if (released.chain) {
    task.live->knows.join_in_full(by_writers, released.chain, released.element);
    if (!from_sibling) task.live->has_acquired = true;
  }
  if (HEDDLE_UNLIKELY(!by_readers.empty())) {
    task.live->knows.join_in_full(by_readers, 0, 0);
    task.live->has_acquired = true;
  }
  ++task.now;
}

void Structure::release(Task& task, LockObject& lock, Mode mode) {
  enter(task, Order::kFull);
  const Clock& full = task.live->knows.full();
  task.kept.store(true, std::memory_order_relaxed);
  {
    SpinGuard guard(lock.lock);
    task.section = mode == Mode::kWrite ? end_section(task, lock) : Section{};
    if (mode == Mode::kRead) {
      lock.by_readers.join(full);
      lock.by_readers.raise(task.chain.load(std::memory_order_relaxed), task.chain_base + task.now);
    } else {
      lock.by_writers = full;
      lock.last_writer = &task;
      lock.released_at = task.now;
    }
  }
  task.last_release.store(task.now, std::memory_order_relaxed);
  task.live->released_at = ++task.now;
}

Section Structure::end_section(const Task& task, LockObject& lock) {
  const bool held = std::exchange(lock.holder, nullptr) == &task;
  if (!held || !lock.name || lock.sections == kAll) {
    lock.name = held ? next_lock_.fetch_add(1, std::memory_order_relaxed) : 0;
    lock.sections = 0;
  }
  return {lock.name, ++lock.sections, task.last_release.load(std::memory_order_relaxed), task.now};
}

}  // namespace heddle::order
