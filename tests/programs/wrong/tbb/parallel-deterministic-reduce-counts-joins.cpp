// The joins of a reduction tree count themselves: those of different branches are parallel.
// expect: race
// workers: 1 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "../../workers.hpp"

int joins;

static int run() {
  int sum = tbb::parallel_deterministic_reduce(
      tbb::blocked_range<int>(0, 16, 1), 0,
      [](const tbb::blocked_range<int>& range, int partial) { return partial + range.begin(); },
      [](int left, int right) {
        ++joins;  // race: A
        return left + right;
      });
  return sum != 120;
}

int main() { return on_workers(run); }
