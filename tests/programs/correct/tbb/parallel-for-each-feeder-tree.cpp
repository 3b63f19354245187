// A tree is walked by feeding the children of a node, to which the node has written before.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_for_each.h>

#include "../../workers.hpp"

int depth[127];

static int run() {
  int root[] = {0};
  tbb::parallel_for_each(root, [](int node, tbb::feeder<int>& feeder) {
    for (int child : {2 * node + 1, 2 * node + 2})
      if (child < 127) {
        depth[child] = depth[node] + 1;
        feeder.add(child);
      }
  });
  return depth[126] != 6;
}

int main() { return on_workers(run); }
