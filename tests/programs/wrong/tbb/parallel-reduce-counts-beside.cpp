// The sum is reduced, but the number of pieces is counted in a variable that all pieces share.
// expect: race
// workers: 1 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "../../workers.hpp"

int pieces;

static int run() {
  int sum = tbb::parallel_reduce(
      tbb::blocked_range<int>(0, 64, 1), 0,
      [](const tbb::blocked_range<int>& range, int partial) {
        ++pieces;  // race: A
        for (int i = range.begin(); i != range.end(); ++i) partial += i;
        return partial;
      },
      [](int left, int right) { return left + right; }, tbb::simple_partitioner());
  return sum != 2016;
}

int main() { return on_workers(run); }
