#include "engine/analyze.hpp"

#include <chrono>
#include <ctime>

namespace heddle::engine {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

}  // namespace

Outcome analyze(Engine& engine, history::EventSource& source) {
  const auto start = std::chrono::steady_clock::now();
  const double cpu_start = cpu_seconds();
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
  outcome.cpu_seconds = cpu_seconds() - cpu_start;
  outcome.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace heddle::engine
