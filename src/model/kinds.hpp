// The kinds of tasks and locks that the programming models have, and what reports call them.
#pragma once

#include "base/types.hpp"

namespace heddle {

// A frontend's word for a task, for reports (Task::kind).
enum class TaskKind : u8 {
#define HEDDLE_TASK(kind, name, ...) kind,
#include "model/models.inc"
};

inline const char* name(TaskKind kind) {
  switch (kind) {
#define HEDDLE_TASK(kind, name, ...) \
  case TaskKind::kind:               \
    return name;
#include "model/models.inc"
  }
  return "task";
}

enum class LockKind : u8 {
  kNone,
  kOneThread,  // no lock: see take_turns
  kOther,
#define HEDDLE_LOCK(kind, name) kind,
#include "model/models.inc"
};

inline const char* name(LockKind kind) {
  switch (kind) {
    case LockKind::kNone:
      return "none";
    case LockKind::kOneThread:
      return "one thread";
    case LockKind::kOther:
      return "lock";
#define HEDDLE_LOCK(kind, name) \
  case LockKind::kind:          \
    return name;
#include "model/models.inc"
  }
  return "lock";
}

}  // namespace heddle
