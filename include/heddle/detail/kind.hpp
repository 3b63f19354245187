// What a task was made by, for reports. The runtime has them in the same order (src/frontend/async/async.hpp).
#pragma once

namespace heddle {

enum class TaskKind : int {
  kAsync,
  kFuture,
  kForallIteration,
  kForallGroup,
  kForasyncIteration,
  kForasyncGroup,
  kPosted
};

}  // namespace heddle
