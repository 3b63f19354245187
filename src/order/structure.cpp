#include "order/structure.hpp"

#include "base/check.hpp"
#include "order/depend_table.hpp"

namespace heddle::order {

Structure::Structure()
    : blocks_(static_cast<std::atomic<Task*>*>(memory::map(kBlocks * sizeof(std::atomic<Task*>)))) {}

// --- tasks -----------------------------------------------------------------------------------------------------------

Task* Structure::make_task(Task* parent, Scope* wait, Scope* group, Index spawned_at) {
  u32 id = next_id_.fetch_add(1, std::memory_order_relaxed);
  if (id >= kBlock * (kBlocks - 1)) fatal("more than two thousand million tasks: task ids are used up");
  std::atomic<Task*>& block = blocks_[id / kBlock];
  if (!block.load(std::memory_order_acquire)) {
    SpinGuard guard(block_lock_);
    if (!block.load(std::memory_order_relaxed))
      block.store(static_cast<Task*>(memory::map_dense(kBlock * sizeof(Task))), std::memory_order_release);
  }
  Task* task = new (block.load(std::memory_order_acquire) + id % kBlock) Task{};
  task->parent = parent;
  task->wait = wait;
  task->group = group;
  task->id = id;
  task->depth = parent ? parent->depth + 1 : 0;
  task->spawned_at = spawned_at;
  task->now = 1;
  task->live = memory::make<Live>();
  task->live->group = group;
  if (parent) inherit(*task, *parent);
  return task;
}

void Structure::inherit(Task& child, const Task& parent) { child.live->knows = parent.live->knows; }

Task* Structure::make_root() { return make_task(nullptr, nullptr, nullptr, 0); }

namespace {

// Another task now knows what the task has done so far.
void note_release(Task& task) { task.live->released_at = task.live->released_by_structure_at = ++task.now; }

}  // namespace

void Structure::end_quiescence(const Task& task) {
  if (!quiescent(task)) return;
  quiescent_points_.store(quiescent_points() + 1, std::memory_order_relaxed);
  quiescent_root_.store(task.id, std::memory_order_relaxed);
  quiescent_index_.store(task.now, std::memory_order_relaxed);
  quiescent_tasks_.store(next_id_.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

Task* Structure::make_child(Task& parent, bool own_scope) {
  end_quiescence(parent);
  Scope*& children = parent.live->children;
  Scope* wait = children;
  if (own_scope || !children) {
    wait = memory::make<Scope>(&parent);
    if (!parent.live->free_chains.empty()) {
      for (FreeChain chain : parent.live->free_chains) inherited_of(*wait).pool.push_back(chain);
      parent.live->free_chains.clear();
    }
    if (!own_scope) children = wait;
  }
  Task* child = make_task(&parent, wait, parent.live->group, parent.now);
  note_release(parent);
  return child;
}

Task* Structure::spawn(Task& parent, bool undeferred) {
  Task* child = make_child(parent, undeferred);
  if (listener_) listener_->spawned(parent, *child, undeferred ? SpawnKind::kUndeferred : SpawnKind::kTask);
  return child;
}

Task* Structure::spawn_thread(Task& parent) {
  Task* thread = make_child(parent, true);
  thread->group = thread->live->group = nullptr;
  threads_outside_.fetch_add(1, std::memory_order_relaxed);
  // It may outlive whoever joins the parent, and it knows the parent up to here: the parent has not kept that to
  // itself.
  parent.last_signal.store(thread->spawned_at, std::memory_order_relaxed);
  parent.last_release.store(thread->spawned_at, std::memory_order_relaxed);
  if (listener_) listener_->spawned(parent, *thread, SpawnKind::kThread);
  return thread;
}

Task* Structure::spawn_beside(Task& sibling) {
  Task* task = make_task(&sibling, sibling.wait, sibling.group, sibling.now);
  // It knows the sibling up to here, which no other task that waits for the same join does.
  sibling.last_signal.store(sibling.now, std::memory_order_relaxed);
  sibling.last_release.store(sibling.now, std::memory_order_relaxed);
  note_release(sibling);
  if (listener_) listener_->spawned(sibling, *task, SpawnKind::kBeside);
  return task;
}

void Structure::end(Task& task) {
  if (listener_) listener_->ended(task);
  finish(task);
}

void Structure::end_thread(Task& thread, SyncObject& end) {
  if (listener_) listener_->ended(thread);
  Snapshot known = snapshot(thread);
  {
    SpinGuard guard(end.lock);
    put(end, known, false);
  }
  finish(thread);
}

void Structure::finish(Task& task) {
  Live* live = task.live;
  bool left_children = false;
  for (Scope* group = live->group;; group = group->outer) {
    Scope* children = live->children;
    if (children && !children->closed.load(std::memory_order_relaxed)) {
      left_children = true;
      pass_to_enclosing(*children,
                        task.group);  // it is never closed: as if its tasks had ended in the enclosing group
    }
    if (!group || group->owner != &task) break;
    ++task.open_groups;
    live->children = group->outer_children;
    if (!task.group) continue;
    pass_to_enclosing(*group, task.group);
  }
  if (left_children) {
    if (!task.group) escaped_.store(true, std::memory_order_relaxed);
    task.last_signal.store(kAll, std::memory_order_relaxed);
    task.last_release.store(kAll, std::memory_order_relaxed);
  }
  FreeChain chain{task.chain_promised ? 0 : task.chain.load(std::memory_order_acquire), 0};
  if (chain.id) chain.next_base = task.chain_base + task.now + 1;
  if (live->has_acquired || chain.id ||
      task.last_release.load(std::memory_order_relaxed)) {  // signals count as releases, too
    // Knowledge goes where the parent finds it first; if the parent ends before, it passes it on to the group.
    leave_to(task.wait, task, live->has_acquired, chain);
    if (task.group != task.wait) leave_to(task.group, task, live->has_acquired && !task.wait, {0, 0});
  }
  if (live->depends) memory::destroy(live->depends);
  task.live = nullptr;
  memory::destroy(live);
  task.ended.store(true, std::memory_order_release);
}

InheritedClocks& Structure::inherited_of(Scope& scope) {
  if (!scope.inherited) scope.inherited = memory::make<InheritedClocks>();
  return *scope.inherited;
}

void Structure::leave_to(Scope* scope, const Task& task, bool knowledge, FreeChain chain) {
  while (scope) {
    SpinGuard guard(scope->lock);
    if (Scope* enclosing = scope->enclosing.load(std::memory_order_relaxed)) {
      scope = enclosing;
      continue;
    }
    if (task.last_signal.load(std::memory_order_relaxed))
      scope->signalled.store(true, std::memory_order_relaxed);
    if (task.last_release.load(std::memory_order_relaxed))
      scope->released.store(true, std::memory_order_relaxed);
    if (knowledge) inherited_of(*scope).clocks.join(task.live->knows);
    if (chain.id) inherited_of(*scope).returned.push_back(chain);
    return;
  }
}

// The owner will not close the scope: what was left in it, and what is still to come, goes to the group around. (Its
// flags need not: the owner's own last_signal and last_release speak for whatever it spawned.)
void Structure::pass_to_enclosing(Scope& scope, Scope* enclosing) {
  SpinGuard guard(scope.lock);
  scope.enclosing.store(enclosing, std::memory_order_release);
  InheritedClocks* inherited = std::exchange(scope.inherited, nullptr);
  if (!inherited) return;
  while (enclosing) {
    SpinGuard enclosing_guard(enclosing->lock);
    if (Scope* next = enclosing->enclosing.load(std::memory_order_relaxed)) {
      enclosing = next;
      continue;
    }
    InheritedClocks& richer = inherited_of(*enclosing);
    richer.clocks.join(inherited->clocks);
    for (FreeChain chain : inherited->returned) richer.returned.push_back(chain);
    for (FreeChain chain : inherited->pool) richer.returned.push_back(chain);
    break;
  }
  memory::destroy(inherited);
}

// --- joins -----------------------------------------------------------------------------------------------------------

// The owner goes on after everything that ended in the scope.
void Structure::close(Scope& scope) {
  Task& owner = *scope.owner;
  Index at = owner.acquired_at = ++owner.now;
  if (scope.signalled.load(std::memory_order_relaxed))
    owner.last_signal.store(at - 1, std::memory_order_relaxed);
  if (scope.released.load(std::memory_order_relaxed))
    owner.last_release.store(at - 1, std::memory_order_relaxed);
  InheritedClocks* inherited;
  {
    SpinGuard guard(scope.lock);
    inherited = std::exchange(scope.inherited, nullptr);
    scope.closed.store(at, std::memory_order_release);
  }
  if (!inherited) return;
  if (!inherited->clocks.empty()) {
    owner.live->knows.join(inherited->clocks);
    owner.live->has_acquired = true;
  }
  for (FreeChain chain : inherited->pool) owner.live->free_chains.push_back(chain);
  for (FreeChain chain : inherited->returned) owner.live->free_chains.push_back(chain);
  memory::destroy(inherited);
}

void Structure::close_child_scope(Task& parent, Task& child) {
  HEDDLE_CHECK(child.wait->owner == &parent);
  close(*child.wait);
}

// A listener knows it from the child's end.
void Structure::join_undeferred(Task& parent, Task& child) { close_child_scope(parent, child); }

void Structure::join_thread(Task& creator, Task& thread) {
  close_child_scope(creator, thread);
  thread_joined();
  if (listener_) listener_->joined_thread(creator, thread);
}

void Structure::join_thread(Task& stranger, Task& thread, SyncObject& end) {
  Snapshot known;
  {
    SpinGuard guard(end.lock);
    known = end.knowledge;
  }
  acquire_snapshot(stranger, known);
  thread_joined();
  if (listener_) listener_->joined_thread(stranger, thread);
}

void Structure::cancel_thread(Task& creator, Task& thread) {
  if (listener_) listener_->not_started(creator, thread);
  finish(thread);
  thread_joined();
}

Structure::Included Structure::begin_included(Task& task) {
  Live& live = *task.live;
  Included outer{live.children, live.floor, live.depends};
  live.set_apart += live.children != nullptr;
  live.children = nullptr;
  live.depends = nullptr;
  live.floor = live.group;
  return outer;
}

void Structure::end_included(Task& task, const Included& outer) {
  Live& live = *task.live;
  if (live.children && !live.children->closed.load(std::memory_order_relaxed)) {
    // They outlive the one who could have waited for them, and know the task up to where they began.
    if (live.group)
      pass_to_enclosing(*live.children, live.group);
    else
      escaped_.store(true, std::memory_order_relaxed);
    task.last_signal.store(task.now, std::memory_order_relaxed);
    task.last_release.store(task.now, std::memory_order_relaxed);
  }
  if (live.depends) memory::destroy(live.depends);
  live.set_apart -= outer.children != nullptr;
  live.children = outer.children;
  live.floor = outer.floor;
  live.depends = outer.depends;
}

void Structure::wait_children(Task& task) {
  Live& live = *task.live;
  Scope* children = std::exchange(live.children, nullptr);
  Scope* group = live.group;
  for (;;) {
    if (children && !children->closed.load(std::memory_order_relaxed)) close(*children);
    if (!group || group->owner != &task || group == live.floor) break;
    children = std::exchange(group->outer_children, nullptr);
    group = group->outer;
  }
  if (listener_) listener_->waited_for_children(task);
}

void Structure::push_group(Task& task) {
  Scope* group = memory::make<Scope>(&task);
  group->outer = task.live->group;
  group->outer_children = std::exchange(task.live->children, nullptr);
  task.live->group = group;
}

void Structure::open_group(Task& task) {
  push_group(task);
  if (listener_) listener_->opened_group(task);
}

void Structure::close_group(Task& task) {
  Live& live = *task.live;
  Scope* group = live.group;
  HEDDLE_CHECK(group && group->owner == &task);
  if (live.children) close(*live.children);
  close(*group);
  live.group = group->outer;
  live.children = group->outer_children;
  if (listener_) listener_->closed_group(task);
}

// --- teams -----------------------------------------------------------------------------------------------------------

Team* Structure::fork(Task& parent) {
  end_quiescence(parent);
  Team* team = memory::make<Team>();
  team->parent = &parent;
  team->phase = memory::make<Scope>(&parent);
  team->spawned_at = parent.now;
  note_release(parent);
  for (FreeChain chain : parent.live->free_chains) inherited_of(*team->phase).pool.push_back(chain);
  parent.live->free_chains.clear();
  if (listener_) listener_->forked(*team);
  return team;
}

Task* Structure::make_team_task(Team& team) {
  SpinGuard guard(team.lock);
  return make_task(team.parent, team.phase, team.phase, team.spawned_at);
}

Task* Structure::implicit_task(Team& team) {
  Task* task = make_team_task(team);
  if (listener_) listener_->began_in_team(team, *task);
  return task;
}

Task* Structure::team_work(Team& team) {
  Task* work = make_team_task(team);
  if (listener_) listener_->began_team_work(team, *work);
  return work;
}

void Structure::arrive(Team& team, Task& task) {
  if (listener_) listener_->arrived(team, task);
  finish(task);
}

Task* Structure::pass_barrier(Team& team, Task& arrived) {
  {
    SpinGuard guard(team.lock);
    if (arrived.group == team.phase) {  // the first to leave closes the phase
      Task& parent = *team.parent;
      close(*team.phase);
      end_quiescence(parent);  // everything has been joined into it: the process is quiescent, for a moment
      team.phase = memory::make<Scope>(&parent);
      team.spawned_at = parent.now;
      note_release(parent);
      for (FreeChain chain : parent.live->free_chains) inherited_of(*team.phase).pool.push_back(chain);
      parent.live->free_chains.clear();
    }
  }
  Task* next = make_team_task(team);
  if (listener_) listener_->left_barrier(team, arrived, *next);
  for (u32 i = 0; i < arrived.open_groups; ++i) push_group(*next);
  return next;
}

void Structure::join(Team& team) {
  close(*team.phase);
  if (listener_) listener_->joined(team);
  memory::destroy(&team);
}

// --- signals and locks -----------------------------------------------------------------------------------------------

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
  Clock &structure = live.knows.structure, &full = live.knows.full;
  const bool alike = structure.same_as(full);
  if (needed == Named::kInBoth) name_ancestors(task, structure);
  if (needed == Named::kInBoth && alike)
    full = structure;
  else if (named < Named::kInFull)
    name_ancestors(task, full);
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
  task.last_signal.store(task.now, std::memory_order_relaxed);
  task.last_release.store(task.now, std::memory_order_relaxed);
  task.live->released_at = ++task.now;
  return left;
}

void Structure::acquire_snapshot(Task& task, const EndSnapshot& left) {
  Task& teller = *left.task;
  if (known_by_structure(teller, task) >= left.at) return;
  ensure_chain(teller);
  Snapshot known{left.knows, teller.chain.load(std::memory_order_relaxed), teller.chain_base + left.at};
  const bool alike = known.structure.same_as(known.full);
  name_ancestors(teller, known.structure);
  if (alike)
    known.full = known.structure;
  else
    name_ancestors(teller, known.full);
  acquire_snapshot(task, known);
}

Snapshot Structure::snapshot(Task& task) {
  Live& live = *task.live;
  enter(task, Order::kBoth);
  Snapshot known{live.knows, task.chain.load(std::memory_order_relaxed), task.chain_base + task.now};
  task.last_signal.store(task.now, std::memory_order_relaxed);
  task.last_release.store(task.now, std::memory_order_relaxed);
  note_release(task);
  return known;
}

// Most who publish at an object have acquired what was there, there or elsewhere: then nothing
// need be joined.
void Structure::put(SyncObject& object, Snapshot& known, bool only) {
  const Snapshot& there = object.knowledge;
  if (only || there.empty() || known.includes(there.chain, there.element) ||
      (there.chain && there.chain == known.chain && there.element < known.element))
    std::swap(object.knowledge, known);
  else
    object.knowledge.join(known);
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
  task.live->has_acquired = true;
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
  Clock known;
  {
    SpinGuard guard(lock.lock);
    // Whoever comes after the last writer anyway acquires nothing from its clock.
    const Task* writer = lock.last_writer;
    if (writer && known_in_full(*writer, task) < lock.released_at) {
      known = lock.by_writers;
      known.raise(writer->chain.load(std::memory_order_acquire), writer->chain_base + lock.released_at);
    }
    if (mode == Mode::kWrite) known.join(lock.by_readers);
  }
  if (!known.empty()) {
    task.live->knows.full.join(known);
    task.live->has_acquired = true;
  }
  ++task.now;
}

void Structure::release(Task& task, LockObject& lock, Mode mode) {
  const Clock& full = task.live->knows.full;
  enter(task, Order::kFull);
  task.last_release.store(task.now, std::memory_order_relaxed);
  {
    SpinGuard guard(lock.lock);
    if (mode == Mode::kRead) {
      lock.by_readers.join(full);
      lock.by_readers.raise(task.chain.load(std::memory_order_relaxed), task.chain_base + task.now);
    } else {
      lock.by_writers = full;
      lock.last_writer = &task;
      lock.released_at = task.now;
    }
  }
  task.live->released_at = ++task.now;
}

// --- the question ----------------------------------------------------------------------------------------------------

// Does the strand come before `now` by the tree alone?
bool Structure::after_join(const Task& owner, Index at, const Task& now) {
  const Task* below = &now;
  Index path = now.now;
  for (; below->depth > owner.depth; below = below->parent) path = below->spawned_at;
  return below == &owner && path >= at;
}

Index Structure::known(const Task& earlier, const Task& now, const Clock& clock) const {
  if (&earlier == &now) return kAll;
  u64 join = earlier.joined_into.load(std::memory_order_relaxed);
  if (join && after_join(*find(static_cast<TaskId>(join >> 32)), static_cast<Index>(join), now)) return kAll;
  // `below` climbs from `now`; `path` is the strand of `below` where the way down to `now` leaves it.
  const Task* below = &now;
  Index path = now.now;
  auto strand_towards_now = [&](const Task& ancestor) -> Index {  // 0 if it is no ancestor
    while (below->depth > ancestor.depth) {
      path = below->spawned_at;
      below = below->parent;
    }
    return below == &ancestor ? path : 0;
  };
  auto by_clock = [&](const Task& task) -> Index {
    u32 chain = task.chain.load(std::memory_order_acquire);
    u32 known_elements = chain ? clock.get(chain) : 0;
    return known_elements > task.chain_base ? known_elements - task.chain_base : 0;
  };

  Index by_tree = strand_towards_now(earlier);
  Index by_signal = by_clock(earlier);
  Index best = by_tree > by_signal ? by_tree : by_signal;
  const Task* task = &earlier;
  while (const Scope* scope = joined_by(*task)) {
    Index joined_at = scope->closed.load(std::memory_order_relaxed);
    task = scope->owner;
    join = u64{task->id} << 32 | joined_at;
    if (strand_towards_now(*task) >= joined_at || by_clock(*task) >= joined_at) {
      best = kAll;
      break;
    }
  }
  // Others ask about the same task: a line that does not change stays with all of them.
  if (join != earlier.joined_into.load(std::memory_order_relaxed))
    earlier.joined_into.store(join, std::memory_order_relaxed);
  return best;
}

Index Structure::known_by_structure(const Task& earlier, const Task& now) const {
  return known(earlier, now, now.live->knows.structure);
}
Index Structure::known_in_full(const Task& earlier, const Task& now) const {
  return known(earlier, now, now.live->knows.full);
}

}  // namespace heddle::order
