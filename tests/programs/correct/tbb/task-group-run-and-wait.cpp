// run_and_wait runs a function beside the tasks of the group, and all have ended when it returns.
// expect: clean
// workers: 1 2 8

#include <tbb/task_group.h>

#include "../../workers.hpp"

int parts[3];

static int run() {
  tbb::task_group group;
  group.run([] { parts[0] = 1; });
  group.run([] { parts[1] = 2; });
  group.run_and_wait([] { parts[2] = 3; });
  return parts[0] + parts[1] + parts[2] != 6;
}

int main() { return on_workers(run); }
