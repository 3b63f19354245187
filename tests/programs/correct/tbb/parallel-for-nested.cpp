// A loop in each iteration of a loop; scratch memory lies in the frame of the outer iteration.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int sums[16];

static int run() {
  tbb::parallel_for(0, 16, [](int row) {
    int scratch[16];
    tbb::parallel_for(0, 16, [&](int column) { scratch[column] = row * column; });
    for (int value : scratch) sums[row] += value;
  });
  return sums[2] != 240;
}

int main() { return on_workers(run); }
