// Each task executes a function in the same arena: the functions run beside each other.
// expect: race
// workers: 1 2 8

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

int counter;

static int run() {
  tbb::task_arena arena(4);
  tbb::task_group group;
  for (int i = 0; i < 4; ++i)
    group.run([&] {
      arena.execute([] { ++counter; });  // race: A
    });
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
