// One piece a worker; where two pieces meet, one reads what the other writes. With one worker there is one piece.
// expect: race
// workers: 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int cells[129];

static int run() {
  tbb::parallel_for(
      tbb::blocked_range<int>(0, 128),
      [](const tbb::blocked_range<int>& range) {
        for (int i = range.begin(); i != range.end(); ++i)
          cells[i] = cells[i + 1] + 1;  // race: A
      },
      tbb::static_partitioner());
  return 0;
}

int main() { return on_workers(run); }
