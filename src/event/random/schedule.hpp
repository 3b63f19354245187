// Runs a program in a random legal schedule. Nothing is executed: at each step one of the tasks whose next
// event is allowed takes it.
#pragma once

#include "event/random/program.hpp"
#include "event/random/rng.hpp"

namespace heddle::event {

// Where in the program an event came from: names an access across schedules.
struct Origin {
  u32 task = 0, step = 0;
  auto operator<=>(const Origin&) const = default;
};

struct Run {
  History history;
  std::vector<Origin> origins;  // one for each event
  bool finished = true;  // false: the program deadlocked in this schedule, and the history is a part of a run
};

// Schedules differ in character, not only in chance: some stay long with one task, some prefer the newest or
// the oldest.
Run schedule(const Program& program, Rng& rng);

}  // namespace heddle::event
