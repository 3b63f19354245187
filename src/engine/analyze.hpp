// Runs one engine over one source of events, and takes the time.
#pragma once

#include <string>

#include "engine/engine.hpp"
#include "history/source.hpp"

namespace heddle::engine {

struct Outcome {
  u64 events = 0, accesses = 0;
  // Reading included. Processor time is what is compared: the machine may have other things to do.
  double cpu_seconds = 0, wall_seconds = 0;
  bool stopped = false;  // at the first race: the rest was not read
};

Outcome analyze(Engine& engine, history::EventSource& source);

}  // namespace heddle::engine
