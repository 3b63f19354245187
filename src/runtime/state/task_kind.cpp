#include "runtime/state/task_kind.hpp"

namespace heddle {

const char* name(TaskKind kind) {
  switch (kind) {
    case TaskKind::kInitialThread:
      return "initial thread";
    case TaskKind::kThread:
      return "thread";
    case TaskKind::kImplicitTask:
      return "implicit task";
    case TaskKind::kExplicitTask:
      return "explicit task";
    case TaskKind::kLoopChunk:
      return "loop chunk";
    case TaskKind::kSection:
      return "section";
    case TaskKind::kSingle:
      return "single";
    case TaskKind::kTaskloopTask:
      return "taskloop task";
    case TaskKind::kInitialTeamTask:
      return "initial task of a team";
    case TaskKind::kTargetTask:
      return "target task";
    case TaskKind::kAsync:
      return "async task";
    case TaskKind::kFuture:
      return "future task";
    case TaskKind::kForallIteration:
      return "iteration of forall";
    case TaskKind::kForallGroup:
      return "group of iterations of forall";
    case TaskKind::kForasyncIteration:
      return "iteration of forasync";
    case TaskKind::kForasyncGroup:
      return "group of iterations of forasync";
    case TaskKind::kPosted:
      return "posted task";
    case TaskKind::kTbbTask:
      return "task run";
    case TaskKind::kTbbFor:
      return "iteration of parallel_for";
    case TaskKind::kTbbForEach:
      return "iteration of parallel_for_each";
    case TaskKind::kTbbReduce:
      return "part of parallel_reduce";
    case TaskKind::kTbbScan:
      return "part of parallel_scan";
    case TaskKind::kTbbInvoke:
      return "function of parallel_invoke";
    case TaskKind::kTbbSort:
      return "part of parallel_sort";
    case TaskKind::kTbbPipeline:
      return "filter of parallel_pipeline";
    case TaskKind::kTbbEnqueued:
      return "task enqueued";
    case TaskKind::kTbbFlow:
      return "task of a flow graph";
  }
  return "task";
}

}  // namespace heddle
