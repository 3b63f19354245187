// Every second index, but an iteration touches three elements.
// expect: race
// workers: 1 2 8

#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int cells[61];

static int run() {
  tbb::parallel_for(
      0, 60, 2,
      [](int i) {
        cells[i] = i;      // race: A
        cells[i + 2] = i;  // race: A
      },
      tbb::simple_partitioner());
  return 0;
}

int main() { return on_workers(run); }
