// Single iterations, each of which reads what was there before the loop and writes a cell of its own.
// expect: clean
// workers: 1 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int from[64], to[64];

static int run() {
  for (int i = 0; i < 64; ++i) from[i] = i;
  tbb::parallel_for(
      tbb::blocked_range<int>(0, 64, 1),
      [](const tbb::blocked_range<int>& range) {
        for (int i = range.begin(); i != range.end(); ++i) to[i] = from[i] + from[(i + 1) % 64];
      },
      tbb::simple_partitioner());
  return to[0] != 1 || to[63] != 63;
}

int main() { return on_workers(run); }
