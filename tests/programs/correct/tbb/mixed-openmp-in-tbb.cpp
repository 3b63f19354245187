// Iterations of a TBB loop run OpenMP loops with reductions.
// expect: clean
// workers: 1 2 8
// flags: -fopenmp

#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int sums[8];

static int run() {
  tbb::parallel_for(0, 8, [](int i) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int k = 0; k < 32; ++k) sum += i * k;
    sums[i] = sum;
  });
  return sums[7] != 3472;
}

int main() { return on_workers(run); }
