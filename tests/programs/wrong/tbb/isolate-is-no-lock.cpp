// Outer iterations write one variable inside isolate, which keeps other work from their thread, not other threads
// from the variable.
// expect: race
// workers: 1 2 8

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "../../workers.hpp"

int counter;

static int run() {
  tbb::parallel_for(0, 16, [](int) {
    tbb::this_task_arena::isolate([] { ++counter; });  // race: A
  });
  return 0;
}

int main() { return on_workers(run); }
