// Where a program stands after the events so far: which event may come next. These are the rules that make a
// sequence of events a History: a taskwait ends only when the children have ended, a lock has one writer, and
// so on.
//
// The random schedules of tests are made by it (an event is taken when it is allowed), and shrinking a
// history keeps to it.
#pragma once

#include "event/event.hpp"

namespace heddle::event {

class RunState {
 public:
  RunState();

  [[nodiscard]] bool allows(const Event& event) const;
  // REQUIRES: allows(event).
  void apply(const Event& event);

  bool begun(u32 task) const { return task < tasks_.size() && tasks_[task].begun; }
  bool ended(u32 task) const { return task < tasks_.size() && tasks_[task].ended; }

 private:
  static constexpr u32 kNone = ~u32{0};

  enum class Kind : u8 { kUnknown, kInitial, kTask, kUndeferred, kThread, kImplicit, kWork };
  struct TaskState {
    Kind kind = Kind::kUnknown;
    u32 parent = kNone;
    u32 region = kNone;  // the innermost region that waits for it
    bool begun = false, ended = false;
    bool suspended = false;  // while an undeferred child or a team runs
    bool arrived = false;    // at a barrier
    bool may_leave = false;
    bool joined = false;  // a thread, by name
    u32 team = kNone;
    u32 locks_held = 0;
    u32 unfinished_children = 0;
    std::vector<u32> groups;    // regions it has opened
    std::vector<u32> children;  // those with depend clauses
    std::vector<Depend> depends;
    std::vector<u32> predecessors;
  };
  // A group or a team: what it waits for is everything spawned inside, descendants too.
  struct Region {
    u32 outer = kNone;
    u32 unfinished = 0;
  };
  struct TeamState {
    bool open = false;
    u32 parent = kNone, region = kNone;
    u32 phase = 0;
    std::vector<u32> threads;
  };
  struct LockState {
    u32 writer = kNone;
    std::vector<u32> reading;
  };

  bool runs(u32 task) const;
  bool is_new(u32 task) const { return task >= tasks_.size() || tasks_[task].kind == Kind::kUnknown; }
  bool all_ended(const std::vector<u32>& tasks) const;
  std::vector<u32> predecessors(u32 parent, const std::vector<Depend>& depends) const;
  TaskState& create(u32 task, Kind kind, u32 parent, u32 region);
  const TeamState* open_team(u32 team) const;
  u32 region_of_children(const TaskState& task) const {
    return task.groups.empty() ? task.region : task.groups.back();
  }
  void count(u32 region, int change);

  std::vector<TaskState> tasks_;
  std::vector<Region> regions_;
  std::vector<TeamState> teams_;
  std::vector<LockState> locks_;
};

// True if every event is allowed after those before it.
bool is_legal(const History& history);

}  // namespace heddle::event
