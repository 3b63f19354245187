// An OpenMP task and a TBB task write the same variable; each is awaited, but only after the other one was made.
// expect: race
// workers: 1 2 8
// flags: -fopenmp

#include <tbb/task_group.h>

#include "../../workers.hpp"

int value;

static int run() {
#pragma omp parallel
#pragma omp single
  {
    tbb::task_group group;
#pragma omp task
    value = 1;                     // race: A
    group.run([] { value = 2; });  // race: A
    group.wait();
#pragma omp taskwait
  }
  return 0;
}

int main() { return on_workers(run); }
