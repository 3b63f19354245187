// What the header says of a task to what runs it.
#pragma once

namespace heddle {

// What a task was made by, for reports. The runtime has them in the same order (src/frontend/async/async.hpp).
enum class TaskKind : int {
  kAsync,
  kFuture,
  kForallIteration,
  kForallGroup,
  kForasyncIteration,
  kForasyncGroup,
  kPosted
};

// How to destroy what a task leaves behind.
struct TaskDrop {
  void (*run)(void*);
  bool quiet;  // it runs no code of the program
};

}  // namespace heddle
