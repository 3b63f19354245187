// One group used twice, without a wait between the phases.
// expect: race
// workers: 1 2 8

#include <tbb/task_group.h>

#include "../../workers.hpp"

int a[8], b[8];

static int run() {
  tbb::task_group group;
  for (int i = 0; i < 8; ++i)
    group.run([i] { a[i] = i; });  // race: A
  for (int i = 0; i < 8; ++i)
    group.run([i] { b[i] = a[7 - i]; });  // race: A
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
