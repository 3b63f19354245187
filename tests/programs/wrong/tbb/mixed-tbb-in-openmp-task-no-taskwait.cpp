// An OpenMP task runs a TBB loop, which waits for its iterations; but nobody waits for the OpenMP task.
// expect: race
// workers: 1 2 8
// flags: -fopenmp

#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int cells[8];

static void use(int seen) { asm volatile("" : : "r"(seen)); }

static int run() {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    tbb::parallel_for(0, 8, [](int i) {
      cells[i] = i;  // race: A
    });
    use(cells[3]);  // race: A
  }
  return 0;
}

int main() { return on_workers(run); }
