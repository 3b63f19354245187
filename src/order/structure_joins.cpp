// Joins: scopes that close, threads, groups, teams and their barriers.
#include "order/structure.hpp"

#include "base/check.hpp"
#include "order/depend_table.hpp"

namespace heddle::order {

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
  const u32 chains = inherited->pool.size() + inherited->returned.size();
  if (scope.spawned == 1 && chains > owner.live->chains_each) owner.live->chains_each = chains;
  memory::destroy(inherited);
}

void Structure::close_and_forget(Scope& scope) {
  close(scope);
  scope.done.store(true, std::memory_order_release);
}

void Structure::close_child_scope(Task& parent, Task& child) {
  HEDDLE_CHECK(child.wait->owner == &parent);
  close(*child.wait);
  if (child.wait != parent.live->children) child.wait->done.store(true, std::memory_order_release);
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
    if (children && !children->closed.load(std::memory_order_relaxed)) close_and_forget(*children);
    if (!group || group->owner != &task || group == live.floor) break;
    children = std::exchange(group->outer_children, nullptr);
    group = group->outer;
  }
  if (listener_) listener_->waited_for_children(task);
}

void Structure::push_group(Task& task) {
  Scope* group = make_scope(task);
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
  if (live.children) close_and_forget(*live.children);
  live.group = group->outer;
  live.children = group->outer_children;
  close_and_forget(*group);
  if (listener_) listener_->closed_group(task);
}

// --- teams -----------------------------------------------------------------------------------------------------------

Team* Structure::fork(Task& parent) {
  end_quiescence(parent);
  Team* team = memory::make<Team>();
  team->parent = &parent;
  team->phase = make_scope(parent);
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
      close_and_forget(*team.phase);
      end_quiescence(parent);  // everything has been joined into it: the process is quiescent, for a moment
      team.phase = make_scope(parent);
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
  close_and_forget(*team.phase);
  if (listener_) listener_->joined(team);
  memory::destroy(&team);
}

}  // namespace heddle::order
