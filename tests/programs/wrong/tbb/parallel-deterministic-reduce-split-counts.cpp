// A static partition: each of the workers' pieces marks itself in the same word. With one worker there is one piece.
// expect: race
// workers: 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "../../workers.hpp"

int pieces;

static int run() {
  tbb::parallel_deterministic_reduce(
      tbb::blocked_range<int>(0, 64), 0,
      [](const tbb::blocked_range<int>& range, int partial) {
        pieces += range.size() > 0;  // race: A
        return partial;
      },
      [](int left, int right) { return left + right; }, tbb::static_partitioner());
  return 0;
}

int main() { return on_workers(run); }
