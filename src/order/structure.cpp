// Tasks: made, spawned and ended, and what an ended task leaves to the scopes that join it.
#include "order/structure.hpp"

#include "base/check.hpp"
#include "order/depend_table.hpp"

namespace heddle::order {

Structure::Structure() = default;

Task* Structure::make_task(Task* parent, Scope* wait, Scope* group, Index spawned_at) {
  const Records::Fresh fresh = records_.take();
  Task* task = new (fresh.record) Task{};
  task->parent = parent;
  task->wait = wait;
  task->group = group;
  task->depth = parent ? parent->depth + 1 : 0;
  task->spawned_at = spawned_at;
  task->born = quiescent_points();
  task->now = task->acquired_at = fresh.first;
  task->live = memory::make<Live>();
  task->live->group = group;
  task->live->released_at = task->live->released_by_structure_at = fresh.first;
  Records::set_id(*task, fresh.id);
  if (parent) inherit(*task, *parent);
  return task;
}

Scope* Structure::make_scope(Task& owner) {
  Scope* scope = memory::make<Scope>(&owner);
  scope->older = owner.scopes;
  // A collection of records looks through the list.
  __atomic_store_n(&owner.scopes, scope, __ATOMIC_RELEASE);
  return scope;
}

void Structure::inherit(Task& child, const Task& parent) { child.live->knows = parent.live->knows; }

Task* Structure::make_root() { return make_task(nullptr, nullptr, nullptr, 0); }

void Structure::end_quiescence(const Task& task) {
  if (!quiescent(task)) return;
  quiescent_points_.store(quiescent_points() + 1, std::memory_order_relaxed);
  quiescent_root_.store(task.id, std::memory_order_relaxed);
  quiescent_index_.store(task.now, std::memory_order_relaxed);
}

Task* Structure::make_child(Task& parent, bool own_scope) {
  end_quiescence(parent);
  Scope*& children = parent.live->children;
  Scope* wait = children;
  if (own_scope || !children) {
    wait = make_scope(parent);
    // A thread leaves some to the next one: if it took them all, the others of each round would need new ones, and
    // clocks would grow with the number of threads that ever were.
    Vector<FreeChain>& chains = parent.live->free_chains;
    for (u32 i = own_scope ? parent.live->chains_each : ~0u; i > 0 && !chains.empty(); --i) {
      inherited_of(*wait).pool.push_back(chains.back());
      chains.pop_back();
    }
    if (!own_scope) children = wait;
  }
  ++wait->spawned;
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
  // The scope's owner has not counted it, so the scope may seem to have settled too early: it does so as one in which
  // tasks published something.
  sibling.wait->settled_signalled.store(true, std::memory_order_relaxed);
  sibling.wait->settled_released.store(true, std::memory_order_relaxed);
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

namespace {

void raise(std::atomic<Index>& last, Index to) {
  if (last.load(std::memory_order_relaxed) < to) last.store(to, std::memory_order_relaxed);
}

}  // namespace

// A task has *settled* when it and all descendants that outlive it have ended: then nobody runs any more who knows it
// by having been spawned. A task that ends before its children counts as one that published its clock to them, until
// they have settled, too. If none of them published anything, it is then as quiet as if it had never spawned them.
// `change`: -1 for a child that has settled, or the number of all of them when the owner ends.
void Structure::settle(Scope& children, int change, Published published) {
  for (Scope* scope = &children;; change = -1) {
    if (published.by_signal) scope->settled_signalled.store(true, std::memory_order_relaxed);
    if (published.by_release) scope->settled_released.store(true, std::memory_order_relaxed);
    if (scope->unsettled.fetch_add(change, std::memory_order_acq_rel) + change != 0) return;
    Task& owner = *scope->owner;
    const bool signalled = scope->settled_signalled.load(std::memory_order_relaxed);
    const bool released = scope->settled_released.load(std::memory_order_relaxed);
    if (!signalled) owner.last_signal.store(scope->owner_signal, std::memory_order_relaxed);
    if (!released) owner.last_release.store(scope->owner_release, std::memory_order_relaxed);
    published = {signalled || scope->owner_signal, released || scope->owner_release};
    scope = owner.wait;
    if (!scope || scope == owner.group) return;  // a task of a team: the owner of its barrier outlives it
  }
}

void Structure::finish(Task& task) {
  Live* live = task.live;
  Scope* left = nullptr;  // the children that outlive it
  for (Scope* group = live->group;; group = group->outer) {
    Scope* children = live->children;
    if (children && !children->closed.load(std::memory_order_relaxed)) {
      left = children;
      pass_to_enclosing(*children,
                        task.group);  // it is never closed: as if its tasks had ended in the enclosing group
    }
    if (!group || group->owner != &task) break;
    ++task.open_groups;
    live->children = group->outer_children;
    if (task.group)
      pass_to_enclosing(*group, task.group);
    else
      escaped_.store(true, std::memory_order_relaxed);  // nothing will ever join what is in there
  }
  const Index signal = task.last_signal.load(std::memory_order_relaxed);
  const Index release = task.last_release.load(std::memory_order_relaxed);
  if (left) {
    if (!task.group) escaped_.store(true, std::memory_order_relaxed);
    left->owner_signal = signal;
    left->owner_release = release;
    // They know the task up to where the last of them was spawned, and nothing of it joins them.
    raise(task.last_signal, live->released_by_structure_at - 1);
    raise(task.last_release, live->released_at - 1);
  }
  FreeChain chain{task.chain_promised ? 0 : task.chain.load(std::memory_order_acquire), 0};
  if (chain.id) chain.next_base = task.chain_base + task.now + 1;
  if (live->has_acquired || chain.id ||
      task.last_release.load(std::memory_order_relaxed)) {  // signals count as releases, too
    // Knowledge goes where the parent finds it first; if the parent ends before, it passes it on to the group.
    leave_to(task.wait, task, live->has_acquired, chain);
    if (task.group != task.wait) leave_to(task.group, task, live->has_acquired && !task.wait, {0, 0});
  }
  for (FreeChain unused : live->free_chains) leave_to(task.wait, task, false, unused);
  if (live->depends) memory::destroy(live->depends);
  task.live = nullptr;
  memory::destroy(live);
  task.ended.store(true, std::memory_order_release);
  if (left && task.open_groups == 0)
    settle(*left, static_cast<int>(left->spawned), {false, false});
  else if (!left && task.wait && task.wait != task.group)
    settle(*task.wait, -1, {signal != 0, release != 0});
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

}  // namespace heddle::order
