// Single iterations, each of which reads the element that the next one writes.
// expect: race
// workers: 1 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int cells[65];

static int run() {
  tbb::parallel_for(
      tbb::blocked_range<int>(0, 64, 1),
      [](const tbb::blocked_range<int>& range) {
        for (int i = range.begin(); i != range.end(); ++i)
          cells[i] = cells[i + 1] + 1;  // race: A
      },
      tbb::simple_partitioner());
  return 0;
}

int main() { return on_workers(run); }
