// A random program as a tree, before any schedule: the steps of each task, in program order. There are no loops and
// no branches, so the number of its body identifies a task, and every schedule runs the same steps.
#pragma once

#include "event/event.hpp"

namespace heddle::event {

struct Step {
  enum Op : u8 {
    kAccess,
    kSpawn,
    kJoinThread,
    kWaitChildren,
    kWaitDepend,
    kGroupOpen,
    kGroupClose,
    kParallel,
    kTakeWork,
    kBarrier,
    kSignal,
    kAwait,
    kAcquire,
    kRelease,
    kBind,
    kNewMemory,
    kDetachThread,
  };
  Op op = kAccess;
  u32 number = 0;  // the child, thread, team, object or lock
  SpawnKind kind = SpawnKind::kTask;
  std::vector<Depend> depends = {};
  bool write = false;  // also: lock mode, and whether a signal replaces
  bool atomic = false;
  bool bound = false;
  bool tries = false;  // of an acquisition
  u64 address = 0;
  u32 size = 8;
};

// A task: its steps, and the locks that its mutexinoutset clauses hold from begin to end.
struct Body {
  std::vector<Step> steps;
  std::vector<u32> locks;
  u32 team = 0;  // of a thread of a team
};

struct TeamPlan {
  std::vector<u32> threads;
  std::vector<std::vector<u32>> work;  // a list of tasks for each phase between barriers
};

struct Program {
  std::vector<Body> bodies;  // 0 is the initial thread
  std::vector<TeamPlan> teams;
};

}  // namespace heddle::event
