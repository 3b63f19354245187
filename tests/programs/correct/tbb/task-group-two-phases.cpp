// One group used twice: the second phase begins after the first has been waited for.
// expect: clean
// workers: 1 2 8

#include <tbb/task_group.h>

#include "../../workers.hpp"

int a[8], b[8];

static int run() {
  tbb::task_group group;
  for (int i = 0; i < 8; ++i) group.run([i] { a[i] = i; });
  group.wait();
  for (int i = 0; i < 8; ++i) group.run([i] { b[i] = a[7 - i]; });
  group.wait();
  return b[0] != 7;
}

int main() { return on_workers(run); }
