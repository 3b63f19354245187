// Pieces of eight iterations, each of which needs the one before it: also the first of a piece.
// expect: race
// workers: 1 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int prefix[65];

static int run() {
  tbb::parallel_for(
      tbb::blocked_range<int>(1, 65, 8),
      [](const tbb::blocked_range<int>& range) {
        for (int i = range.begin(); i != range.end(); ++i)
          prefix[i] = prefix[i - 1] + 1;  // race: A
      },
      tbb::simple_partitioner());
  return 0;
}

int main() { return on_workers(run); }
