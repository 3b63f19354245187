// The function given to run_and_wait runs beside the tasks of the group, not after them.
// expect: race
// workers: 1 2 8

#include <tbb/task_group.h>

#include "../../workers.hpp"

int total;

static int run() {
  tbb::task_group group;
  group.run([] { total += 1; });           // race: A
  group.run_and_wait([] { total += 2; });  // race: A
  return 0;
}

int main() { return on_workers(run); }
