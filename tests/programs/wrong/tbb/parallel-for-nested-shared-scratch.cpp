// A loop in each iteration of a loop, and scratch memory that all outer iterations share.
// expect: race
// workers: 1 2 8

#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int scratch[8], sums[8];

static int run() {
  tbb::parallel_for(
      0, 8,
      [](int row) {
        tbb::parallel_for(0, 8, [=](int column) {
          scratch[column] = row * column;  // race: A
        });
        for (int i = 0; i < 8; ++i)
          sums[row] += scratch[i];  // race: A
      },
      tbb::simple_partitioner());
  return 0;
}

int main() { return on_workers(run); }
