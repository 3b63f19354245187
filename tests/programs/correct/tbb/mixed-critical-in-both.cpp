// A critical section of OpenMP protects a variable in OpenMP threads and in the TBB tasks that they start.
// expect: clean
// workers: 1 2 8
// flags: -fopenmp

#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int counter;

static void count() {
#pragma omp critical
  ++counter;
}

static int run() {
#pragma omp parallel num_threads(2)
  {
    count();
    tbb::parallel_for(0, 10, [](int) { count(); });
  }
  return counter < 11;
}

int main() { return on_workers(run); }
