// Tasks of a TBB group run OpenMP teams, whose first threads count in one variable. GCC's master asks for the thread
// number, which is 0 in each of the teams and makes the variable nobody's own.
// expect: race
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
