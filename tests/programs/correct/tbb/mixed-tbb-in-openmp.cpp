// Each thread of a team runs a TBB loop over rows of its own; after the barrier all rows are read.
// expect: clean
// workers: 1 2 8
// flags: -fopenmp

#include <omp.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int cells[16][16], sums[16];

static int run() {
#pragma omp parallel for schedule(static, 1)
  for (int row = 0; row < 16; ++row)
    tbb::parallel_for(0, 16, [row](int column) { cells[row][column] = row + column; });
#pragma omp parallel for
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 16; ++column) sums[row] += cells[column][row];
  return sums[15] != 360;
}

int main() { return on_workers(run); }
