// A schedule with as few context switches as possible that still shows the same.
//
// A schedule is blocks: stretches of one actor. Tried, as long as something helps: only a beginning of it (what follows
// is greedy); without an actor at all; a block moved to the next one, or the one before, of its actor. What is tried is
// executed: only what still shows the bug is kept. So the result is a local minimum.
#pragma once

#include <functional>
#include <vector>

#include "explore/program/program_executor.hpp"

namespace heddle::confirm {

using Choices = std::vector<explore::Choice>;

// How often another actor goes on.
usize switches(const Choices& choices);

// `shows` executes; REQUIRES: it holds for `choices`. Asked at most `most` times.
Choices minimise(Choices choices, const std::function<bool(const Choices&)>& shows, u32 most);

}  // namespace heddle::confirm
