// What a frontend calls its tasks, for reports.
#pragma once

#include "base/types.hpp"

namespace heddle {

// Of order::Task::kind.
enum class TaskKind : u8 {
  kInitialThread,
  kThread,
  kImplicitTask,
  kExplicitTask,
  kLoopChunk,
  kSection,
  kSingle,
  kTaskloopTask,
  kInitialTeamTask,
  kTargetTask,
  kAsync,
  kFuture,
  kForallIteration,
  kForallGroup,
  kForasyncIteration,
  kForasyncGroup,
  kPosted,
  kTbbTask,
  kTbbFor,
  kTbbForEach,
  kTbbReduce,
  kTbbScan,
  kTbbInvoke,
  kTbbSort,
  kTbbPipeline,
  kTbbEnqueued,
  kTbbFlow
};
const char* name(TaskKind kind);

}  // namespace heddle
