// One piece a worker, each with an accumulator of its own, which is added to the total by an atomic operation.
// expect: clean
// workers: 1 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <atomic>

#include "../../workers.hpp"

int numbers[200];
std::atomic<int> total;

static int run() {
  for (int i = 0; i < 200; ++i) numbers[i] = i;
  tbb::parallel_for(
      tbb::blocked_range<int>(0, 200),
      [](const tbb::blocked_range<int>& range) {
        int partial = 0;
        for (int i = range.begin(); i != range.end(); ++i) partial += numbers[i];
        total += partial;
      },
      tbb::static_partitioner());
  return total != 19900;
}

int main() { return on_workers(run); }
