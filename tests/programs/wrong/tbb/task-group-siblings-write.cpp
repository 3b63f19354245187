// Two tasks of one group write the same variable.
// expect: race
// workers: 1 2 8

#include <tbb/task_group.h>

#include "../../workers.hpp"

int value;

static int run() {
  tbb::task_group group;
  group.run([] { value = 1; });  // race: A
  group.run([] { value = 2; });  // race: A
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
