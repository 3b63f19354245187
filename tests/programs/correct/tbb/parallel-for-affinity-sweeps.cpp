// The same pieces for the same workers, sweep after sweep, from one buffer into the other.
// expect: clean
// workers: 1 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

double grid[2][130];

static int run() {
  grid[0][0] = grid[1][0] = 64;
  tbb::affinity_partitioner partitioner;
  for (int sweep = 0; sweep < 6; ++sweep) {
    const double* from = grid[sweep % 2];
    double* to = grid[(sweep + 1) % 2];
    tbb::parallel_for(
        tbb::blocked_range<int>(1, 129),
        [=](const tbb::blocked_range<int>& range) {
          for (int i = range.begin(); i != range.end(); ++i) to[i] = (from[i - 1] + from[i + 1]) / 2;
        },
        partitioner);
  }
  return grid[0][1] <= 0;
}

int main() { return on_workers(run); }
