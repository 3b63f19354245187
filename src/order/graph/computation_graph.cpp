#include "order/graph/computation_graph.hpp"

#include <algorithm>

#include "event/depends.hpp"

namespace heddle::order {

using namespace event;

ComputationGraph::ComputationGraph(const History& history) {
  // No event makes more than two strands (a spawn: the child's first and the parent's next).
  usize most = 2 * history.size() + 1;
  words_ = (most + 63) / 64;
  structure_.resize(most * words_);
  full_.resize(most * words_);
  create(0, 0, 0);
  for (const Event& event : history) {
    add(event);
    strand_after_.push_back(tasks_[event::task_of(event)].current);
  }
}

ComputationGraph::Strand ComputationGraph::make(u32 task) {
  task_of_.push_back(task);
  return count_++;
}

void ComputationGraph::edge(Strand from, Strand to, bool in_structure) {
  auto add_to = [&](std::vector<u64>& rows) {
    for (usize w = 0; w < words_; ++w) rows[to * words_ + w] |= rows[from * words_ + w];
    rows[to * words_ + from / 64] |= u64{1} << (from % 64);
  };
  if (in_structure) add_to(structure_);
  add_to(full_);
}

ComputationGraph::Strand ComputationGraph::go_on(u32 task) {
  Strand next = make(task);
  edge(tasks_[task].current, next);
  return tasks_[task].current = next;
}

ComputationGraph::TaskNodes& ComputationGraph::create(u32 task, u32 parent, Strand after) {
  if (task >= tasks_.size()) tasks_.resize(task + 1);
  tasks_[task].exists = true;
  tasks_[task].parent = parent;
  tasks_[task].current = make(task);
  if (task != 0) edge(after, tasks_[task].current);
  return tasks_[task];
}

// The children among the first `siblings` that a task with these clauses waits for.
std::vector<u32> ComputationGraph::predecessors(u32 parent, const std::vector<Depend>& depends,
                                                usize siblings) const {
  std::vector<u32> found;
  for (usize i = 0; i < siblings; ++i) {
    u32 sibling = tasks_[parent].children[i];
    if (depends_on(depends, tasks_[sibling].depends)) found.push_back(sibling);
  }
  return found;
}

// A group joins the children spawned while it was open, and all their descendants.
bool ComputationGraph::in_group(u32 task, u32 group) const {
  for (; task != 0 && tasks_[task].joined_implicitly; task = tasks_[task].parent)
    if (std::count(tasks_[task].in_groups.begin(), tasks_[task].in_groups.end(), group)) return true;
  return false;
}

// A barrier, and the end of a region, join the threads, the work, and all their descendants.
bool ComputationGraph::in_team(u32 task, u32 team) const {
  for (; task != 0 && tasks_[task].joined_implicitly; task = tasks_[task].parent)
    if (tasks_[task].team == team) return true;
  return false;
}

void ComputationGraph::add(const Event& event) {
  std::visit(
      Handlers{
          [&](const Spawn& e) {
            if (e.kind == SpawnKind::kBeside) {
              u32 parent = tasks_[e.task].parent;
              TaskNodes& beside = create(e.child, parent, tasks_[e.task].current);
              beside.in_groups = tasks_[e.task].in_groups;
              tasks_[parent].children.push_back(e.child);
              go_on(e.task);
              return;
            }
            TaskNodes& child = create(e.child, e.task, tasks_[e.task].current);
            child.depends = e.depends;
            child.joined_implicitly = e.kind != SpawnKind::kThread;
            child.in_groups = tasks_[e.task].open_groups;
            if (e.kind != SpawnKind::kThread) tasks_[e.task].children.push_back(e.child);
            // An undeferred child suspends its parent: the parent continues at the end of the child.
            child.undeferred = e.kind == SpawnKind::kUndeferred;
            if (!child.undeferred) go_on(e.task);
          },
          [&](const Begin& e) {
            TaskNodes& task = tasks_[e.task];
            if (task.depends.empty()) return;
            const auto& siblings = tasks_[task.parent].children;
            auto self = std::find(siblings.begin(), siblings.end(), e.task);
            for (u32 before :
                 predecessors(task.parent, task.depends, static_cast<usize>(self - siblings.begin())))
              edge(tasks_[before].current, task.current);
          },
          [&](const End& e) {
            TaskNodes& task = tasks_[e.task];
            if (task.undeferred) edge(task.current, go_on(task.parent));
          },
          [&](const JoinThread& e) { edge(tasks_[e.child].current, go_on(e.task)); },
          [&](const WaitChildren& e) {
            Strand after = go_on(e.task);
            for (u32 child : tasks_[e.task].children) edge(tasks_[child].current, after);
          },
          [&](const WaitDepend& e) {
            Strand after = go_on(e.task);
            for (u32 child : predecessors(e.task, e.depends, tasks_[e.task].children.size()))
              edge(tasks_[child].current, after);
          },
          [&](const GroupOpen& e) { tasks_[e.task].open_groups.push_back(++groups_); },
          [&](const GroupClose& e) {
            Strand after = go_on(e.task);
            u32 group = tasks_[e.task].open_groups.back();
            tasks_[e.task].open_groups.pop_back();
            for (u32 task = 1; task < tasks_.size(); ++task)
              if (tasks_[task].exists && in_group(task, group)) edge(tasks_[task].current, after);
          },
          [&](const Fork& e) {
            // Its task is suspended until the join.
            teams_[e.team] = {.parent = e.task, .forked_at = tasks_[e.task].current};
          },
          [&](const TeamBegin& e) {
            TeamNodes& team = teams_[e.team];
            create(e.task, team.parent, team.forked_at).team = e.team;
            team.threads.push_back(e.task);
          },
          [&](const WorkBegin& e) {
            // It comes after the last barrier, and after nothing that any thread did since.
            TeamNodes& team = teams_[e.team];
            TaskNodes& work = create(e.task, team.parent, team.forked_at);
            work.team = e.team;
            for (Strand before : team.before_barrier) edge(before, work.current);
          },
          [&](const BarrierArrive&) {},
          [&](const BarrierLeave& e) {
            TeamNodes& team = teams_[e.team];
            if (team.still_to_leave == 0) {  // the first to leave: all have arrived, all tasks have ended
              team.still_to_leave = static_cast<u32>(team.threads.size());
              team.before_barrier.clear();
              for (u32 task = 1; task < tasks_.size(); ++task)
                if (tasks_[task].exists && in_team(task, e.team))
                  team.before_barrier.push_back(tasks_[task].current);
            }
            --team.still_to_leave;
            Strand after = go_on(e.task);
            for (Strand before : team.before_barrier) edge(before, after);
          },
          [&](const Join& e) {
            Strand after = go_on(e.task);
            for (u32 task = 1; task < tasks_.size(); ++task)
              if (tasks_[task].exists && in_team(task, e.team)) edge(tasks_[task].current, after);
          },
          [&](const Signal& e) {
            if (e.replace) objects_[e.object].clear();
            objects_[e.object].push_back(tasks_[e.task].current);
            go_on(e.task);
          },
          [&](const Await& e) {
            Strand after = go_on(e.task);
            for (Strand before : objects_[e.object]) edge(before, after);
          },
          [&](const Acquire& e) {
            Strand after = go_on(e.task);
            for (Strand before : locks_[e.lock].released_by_writers) edge(before, after, false);
            if (!e.write) return;
            for (Strand before : locks_[e.lock].released_by_readers) edge(before, after, false);
          },
          [&](const Release& e) {
            LockNodes& lock = locks_[e.lock];
            (e.write ? lock.released_by_writers : lock.released_by_readers).push_back(tasks_[e.task].current);
            go_on(e.task);
          },
          [&](const Bind&) {},
          [&](const Access&) {},
          [&](const OneOf<NewMemory, DetachThread> auto&) {},
      },
      event);
}

}  // namespace heddle::order
