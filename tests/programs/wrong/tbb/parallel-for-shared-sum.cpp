// All iterations add to one variable.
// expect: race
// workers: 1 2 8

#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int sum;

static int run() {
  tbb::parallel_for(0, 100, [](int i) {
    sum += i;  // race: A
  });
  return 0;
}

int main() { return on_workers(run); }
