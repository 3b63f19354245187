// Runs a program in a random legal schedule. Nothing is executed: each step takes the next event of a task for which
// it is allowed.
#pragma once

#include "event/random/program.hpp"
#include "event/random/rng.hpp"

namespace heddle::event {

// The place in the program that an event comes from: identifies an access across schedules.
struct Origin {
  u32 task = 0, step = 0;
  auto operator<=>(const Origin&) const = default;
};

struct Run {
  History history;
  std::vector<Origin> origins;  // one for each event
  bool finished = true;         // false: this schedule deadlocked, and the history is a prefix of a run
};

// Schedules have different biases: some stay long with one task, some prefer the newest or the oldest.
Run schedule(const Program& program, Rng& rng);

}  // namespace heddle::event
