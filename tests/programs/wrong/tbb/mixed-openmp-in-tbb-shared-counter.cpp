// Tasks of a TBB group run OpenMP teams, whose first threads count in one variable. GCC's master asks for the thread number, so that with one
// worker all of it counts as data of that thread.
// expect: race
// workers: 2 8
// flags: -fopenmp

#include <tbb/task_group.h>

#include "../../workers.hpp"

int counter;

static int run() {
  tbb::task_group group;
  for (int i = 0; i < 3; ++i)
    group.run([] {
#pragma omp parallel
#pragma omp master
      ++counter;  // race: A
    });
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
