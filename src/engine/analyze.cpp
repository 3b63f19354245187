#include "engine/analyze.hpp"

#include <chrono>

namespace heddle::engine {

Outcome analyze(Engine& engine, history::EventSource& source) {
  auto start = std::chrono::steady_clock::now();
  Outcome outcome;
  history::Batch batch;
  while (source.next(batch)) {
    if (!batch.memory.empty()) {
      engine.memory(batch.task, batch.memory);
      outcome.events += batch.memory.size();
      outcome.accesses += batch.memory.size();
    }
    if (batch.event) {
      engine.add(*batch.event);
      ++outcome.events;
    }
    if (engine.done()) {
      outcome.stopped = true;
      break;
    }
  }
  engine.finish();
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace heddle::engine
