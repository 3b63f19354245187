// Two tasks, one place for both: each increment may meet the other task's.
// expect: race
// size: 100000 accesses a task

#include "configurable.h"

int main(int argc, char** argv) {
  const long accesses = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  configurable::Place shared(configurable::kCells);
  configurable::run(
      2, accesses, [&](long) -> configurable::Place& { return shared; },
      [](long& cell) { ++cell; });  // race: A
}
