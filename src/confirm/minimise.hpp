// Minimises the context switches of a schedule that shows a bug.
//
// A schedule is a sequence of blocks: consecutive steps of one actor. The candidates are: a prefix (the rest is
// greedy); the schedule without one actor; a block moved to the next or previous block of its actor. Each candidate
// is executed, and kept only if it still shows the bug, until none helps. So the result is a local minimum.
#pragma once

#include <functional>
#include <vector>

#include "explore/program/program_executor.hpp"

namespace heddle::confirm {

using Choices = std::vector<explore::Choice>;

// The number of switches to another actor.
usize switches(const Choices& choices);

// `shows` executes; REQUIRES: it holds for `choices`. Called at most `most` times.
Choices minimise(Choices choices, const std::function<bool(const Choices&)>& shows, u32 most);

}  // namespace heddle::confirm
