// Two tasks write a variable each; the creator reads both after wait.
// expect: clean
// workers: 1 2 8

#include <tbb/task_group.h>

#include "../../workers.hpp"

int left, right;

static int run() {
  tbb::task_group group;
  group.run([] { left = 1; });
  group.run([] { right = 2; });
  group.wait();
  return left + right != 3;
}

int main() { return on_workers(run); }
