// Tasks put further tasks into the group that they are in: wait waits for all of them.
// expect: clean
// workers: 1 2 8

#include <tbb/task_group.h>

#include "../../workers.hpp"

int count[31];

static void visit(tbb::task_group& group, int node) {
  count[node] = 1;
  for (int child : {2 * node + 1, 2 * node + 2})
    if (child < 31) group.run([&group, child] { visit(group, child); });
}

static int run() {
  tbb::task_group group;
  group.run([&group] { visit(group, 0); });
  group.wait();
  int sum = 0;
  for (int one : count) sum += one;
  return sum != 31;
}

int main() { return on_workers(run); }
