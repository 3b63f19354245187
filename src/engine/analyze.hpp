// Runs one engine over one source of events, and measures the time.
#pragma once

#include <string>

#include "engine/engine.hpp"
#include "history/source.hpp"

namespace heddle::engine {

struct Outcome {
  u64 events = 0, accesses = 0;
  // Including reading. Compare processor times: the machine may be busy.
  double cpu_seconds = 0, wall_seconds = 0;
  bool stopped = false;  // at the first race: the rest was not read
};

Outcome analyze(Engine& engine, history::EventSource& source);

}  // namespace heddle::engine
