// Every piece leaves where it ended in one variable: affinity lays down who runs a piece, not in which order.
// expect: race
// workers: 1 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int last_seen;

static int run() {
  tbb::affinity_partitioner partitioner;
  tbb::parallel_for(
      tbb::blocked_range<int>(0, 256),
      [](const tbb::blocked_range<int>& range) {
        last_seen = range.end();  // race: A
      },
      partitioner);
  return 0;
}

int main() { return on_workers(run); }
