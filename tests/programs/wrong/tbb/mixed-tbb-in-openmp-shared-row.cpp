// Each thread of a team runs a TBB loop, all of them over the same row.
// expect: race
// workers: 2 8
// flags: -fopenmp

#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int row[16];

static int run() {
#pragma omp parallel
  tbb::parallel_for(0, 16, [](int column) {
    row[column] += 1;  // race: A
  });
  return 0;
}

int main() { return on_workers(run); }
