// A task cancels its group. Whether the others still run is open; what they write is theirs, and is read after wait.
// expect: clean
// workers: 1 2 8

#include <tbb/task_group.h>

#include "../../workers.hpp"

int found[20];

static int run() {
  tbb::task_group group;
  for (int i = 0; i < 20; ++i)
    group.run([i, &group] {
      found[i] = 1;
      if (i == 10) group.cancel();
    });
  const tbb::task_group_status status = group.wait();
  int sum = 0;
  for (int one : found) sum += one;
  return status != tbb::canceled || sum < 1;
}

int main() { return on_workers(run); }
