#include "event/run_state.hpp"

#include <algorithm>

#include "event/depends.hpp"

namespace heddle::event {
namespace {

template <class T>
T& at(std::vector<T>& all, u32 index) {
  if (index >= all.size()) all.resize(index + 1);
  return all[index];
}

}  // namespace

RunState::RunState() { create(0, Kind::kInitial, kNone, kNone).begun = true; }

RunState::TaskState& RunState::create(u32 task, Kind kind, u32 parent, u32 region) {
  TaskState& state = at(tasks_, task);
  state.kind = kind;
  state.parent = parent;
  state.region = region;
  return state;
}

void RunState::count(u32 region, int change) {
  for (; region != kNone; region = regions_[region].outer)
    regions_[region].unfinished += static_cast<u32>(change);
}

bool RunState::runs(u32 task) const {
  if (task >= tasks_.size()) return false;
  const TaskState& t = tasks_[task];
  return t.begun && !t.ended && !t.suspended && !t.arrived;
}

bool RunState::all_ended(const std::vector<u32>& tasks) const {
  return std::all_of(tasks.begin(), tasks.end(), [&](u32 task) { return tasks_[task].ended; });
}

std::vector<u32> RunState::predecessors(u32 parent, const std::vector<Depend>& depends) const {
  std::vector<u32> found;
  if (depends.empty()) return found;
  for (u32 child : tasks_[parent].children)
    if (depends_on(depends, tasks_[child].depends)) found.push_back(child);
  return found;
}

const RunState::TeamState* RunState::open_team(u32 team) const {
  return team < teams_.size() && teams_[team].open ? &teams_[team] : nullptr;
}

bool RunState::allows(const Event& event) const {
  return std::visit(
      Handlers{
          [&](const Spawn& e) {
            if (!runs(e.task) || !is_new(e.child)) return false;
            return e.kind != SpawnKind::kBeside || (tasks_[e.task].kind == Kind::kTask && e.depends.empty());
          },
          [&](const Begin& e) {
            if (is_new(e.task)) return false;
            const TaskState& t = tasks_[e.task];
            return !t.begun && all_ended(t.predecessors);
          },
          [&](const End& e) { return runs(e.task) && tasks_[e.task].locks_held == 0; },
          [&](const JoinThread& e) {
            return runs(e.task) && ended(e.child) && tasks_[e.child].kind == Kind::kThread &&
                   !tasks_[e.child].joined;
          },
          [&](const DetachThread& e) {
            return runs(e.task) && !is_new(e.child) && tasks_[e.child].kind == Kind::kThread &&
                   !tasks_[e.child].joined;
          },
          [&](const WaitChildren& e) { return runs(e.task) && tasks_[e.task].unfinished_children == 0; },
          [&](const WaitDepend& e) { return runs(e.task) && all_ended(predecessors(e.task, e.depends)); },
          [&](const GroupOpen& e) { return runs(e.task); },
          [&](const GroupClose& e) {
            return runs(e.task) && !tasks_[e.task].groups.empty() &&
                   regions_[tasks_[e.task].groups.back()].unfinished == 0;
          },
          [&](const Fork& e) {
            return runs(e.task) && (e.team >= teams_.size() || teams_[e.team].parent == kNone);
          },
          [&](const TeamBegin& e) {
            const TeamState* team = open_team(e.team);
            return team && team->phase == 0 && is_new(e.task);
          },
          [&](const WorkBegin& e) {
            const TeamState* team = open_team(e.team);
            // Some thread of the team must exist to take it.
            return team && is_new(e.task) &&
                   std::any_of(team->threads.begin(), team->threads.end(),
                               [&](u32 thread) { return runs(thread); });
          },
          [&](const BarrierArrive& e) {
            return runs(e.task) && open_team(e.team) && tasks_[e.task].team == e.team;
          },
          [&](const BarrierLeave& e) {
            const TeamState* team = open_team(e.team);
            if (!team || e.task >= tasks_.size()) return false;
            const TaskState& t = tasks_[e.task];
            if (t.team != e.team || !t.arrived) return false;
            if (t.may_leave) return true;
            return regions_[team->region].unfinished == 0 &&
                   std::all_of(team->threads.begin(), team->threads.end(), [&](u32 thread) {
                     return tasks_[thread].arrived && !tasks_[thread].may_leave;
                   });
          },
          [&](const Join& e) {
            const TeamState* team = open_team(e.team);
            return team && team->parent == e.task && regions_[team->region].unfinished == 0 &&
                   all_ended(team->threads);
          },
          [&](const Signal& e) { return runs(e.task); },
          [&](const Await& e) { return runs(e.task); },
          [&](const Acquire& e) {
            if (!runs(e.task)) return false;
            if (e.lock >= locks_.size()) return true;
            return locks_[e.lock].writer == kNone && (!e.write || locks_[e.lock].reading.empty()) &&
                   std::count(locks_[e.lock].reading.begin(), locks_[e.lock].reading.end(), e.task) == 0;
          },
          [&](const Release& e) {
            if (!runs(e.task) || e.lock >= locks_.size()) return false;
            const LockState& lock = locks_[e.lock];
            return e.write ? lock.writer == e.task
                           : std::count(lock.reading.begin(), lock.reading.end(), e.task) != 0;
          },
          [&](const Bind& e) { return runs(e.task); },
          [&](const Access& e) { return runs(e.task); },
          [&](const NewMemory& e) { return begun(e.task); },
      },
      event);
}

void RunState::apply(const Event& event) {
  std::visit(Handlers{
                 [&](const Spawn& e) {
                   if (e.kind == SpawnKind::kBeside) {
                     u32 parent = tasks_[e.task].parent, region = tasks_[e.task].region;
                     create(e.child, Kind::kTask, parent, region);
                     ++tasks_[parent].unfinished_children;
                     count(region, +1);
                     return;
                   }
                   bool thread = e.kind == SpawnKind::kThread;
                   Kind kind = thread                             ? Kind::kThread
                               : e.kind == SpawnKind::kUndeferred ? Kind::kUndeferred
                                                                  : Kind::kTask;
                   u32 region = thread ? kNone : region_of_children(tasks_[e.task]);
                   std::vector<u32> before = predecessors(e.task, e.depends);
                   TaskState& child = create(e.child, kind, e.task, region);
                   child.depends = e.depends;
                   child.predecessors = std::move(before);
                   TaskState& parent = tasks_[e.task];
                   if (!e.depends.empty()) parent.children.push_back(e.child);
                   if (!thread) ++parent.unfinished_children;
                   parent.suspended = kind == Kind::kUndeferred;
                   count(region, +1);
                 },
                 [&](const Begin& e) { tasks_[e.task].begun = true; },
                 [&](const End& e) {
                   TaskState& t = tasks_[e.task];
                   t.ended = true;
                   if (t.kind == Kind::kTask || t.kind == Kind::kUndeferred) {
                     --tasks_[t.parent].unfinished_children;
                     if (t.kind == Kind::kUndeferred) tasks_[t.parent].suspended = false;
                   }
                   if (t.kind != Kind::kImplicit) count(t.region, -1);
                 },
                 [&](const OneOf<JoinThread, DetachThread> auto& e) { tasks_[e.child].joined = true; },
                 [&](const WaitChildren&) {},
                 [&](const WaitDepend&) {},
                 [&](const GroupOpen& e) {
                   regions_.push_back({region_of_children(tasks_[e.task]), 0});
                   tasks_[e.task].groups.push_back(static_cast<u32>(regions_.size() - 1));
                 },
                 [&](const GroupClose& e) { tasks_[e.task].groups.pop_back(); },
                 [&](const Fork& e) {
                   TeamState& team = at(teams_, e.team);
                   team.open = true;
                   team.parent = e.task;
                   regions_.push_back({region_of_children(tasks_[e.task]), 0});
                   team.region = static_cast<u32>(regions_.size() - 1);
                   tasks_[e.task].suspended = true;
                 },
                 [&](const TeamBegin& e) {
                   TeamState& team = teams_[e.team];
                   TaskState& t = create(e.task, Kind::kImplicit, team.parent, team.region);
                   t.begun = true;
                   t.team = e.team;
                   team.threads.push_back(e.task);
                 },
                 [&](const WorkBegin& e) {
                   TeamState& team = teams_[e.team];
                   create(e.task, Kind::kWork, team.parent, team.region).begun = true;
                   count(team.region, +1);
                 },
                 [&](const BarrierArrive& e) { tasks_[e.task].arrived = true; },
                 [&](const BarrierLeave& e) {
                   if (!tasks_[e.task].may_leave) {  // the first to leave
                     ++teams_[e.team].phase;
                     for (u32 thread : teams_[e.team].threads) tasks_[thread].may_leave = true;
                   }
                   tasks_[e.task].arrived = tasks_[e.task].may_leave = false;
                 },
                 [&](const Join& e) {
                   teams_[e.team].open = false;
                   tasks_[e.task].suspended = false;
                 },
                 [&](const Signal&) {},
                 [&](const Await&) {},
                 [&](const Acquire& e) {
                   LockState& lock = at(locks_, e.lock);
                   if (e.write)
                     lock.writer = e.task;
                   else
                     lock.reading.push_back(e.task);
                   ++tasks_[e.task].locks_held;
                 },
                 [&](const Release& e) {
                   LockState& lock = locks_[e.lock];
                   if (e.write)
                     lock.writer = kNone;
                   else
                     lock.reading.erase(std::find(lock.reading.begin(), lock.reading.end(), e.task));
                   --tasks_[e.task].locks_held;
                 },
                 [&](const Bind&) {},
                 [&](const Access&) {},
                 [&](const NewMemory&) {},
             },
             event);
}

bool is_legal(const History& history) {
  RunState state;
  for (const Event& event : history) {
    if (!state.allows(event)) return false;
    state.apply(event);
  }
  return true;
}

}  // namespace heddle::event
