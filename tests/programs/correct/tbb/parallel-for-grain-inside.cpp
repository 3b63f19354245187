// Pieces of eight iterations, each of which needs the one before it in its piece.
// expect: clean
// workers: 1 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int prefix[64];

static int run() {
  tbb::parallel_for(
      tbb::blocked_range<int>(0, 64, 8),
      [](const tbb::blocked_range<int>& range) {
        for (int i = range.begin(); i != range.end(); ++i) prefix[i] = i % 8 == 0 ? 1 : prefix[i - 1] + 1;
      },
      tbb::simple_partitioner());
  return prefix[63] != 8;
}

int main() { return on_workers(run); }
