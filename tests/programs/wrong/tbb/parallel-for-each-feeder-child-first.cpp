// A node feeds its child and then writes to it: the child may run at once.
// expect: race
// workers: 1 2 8

#include <tbb/parallel_for_each.h>

#include "../../workers.hpp"

int depth[16], doubled[16];

static int run() {
  int root[] = {0};
  tbb::parallel_for_each(root, [](int node, tbb::feeder<int>& feeder) {
    doubled[node] = 2 * depth[node];  // race: A
    if (node + 1 < 16) {
      feeder.add(node + 1);
      depth[node + 1] = node + 1;  // race: A
    }
  });
  return 0;
}

int main() { return on_workers(run); }
