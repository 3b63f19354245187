// The functional form: partial sums are values, and nothing is shared.
// expect: clean
// workers: 1 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "../../workers.hpp"

int numbers[1000];

static int run() {
  for (int i = 0; i < 1000; ++i) numbers[i] = i % 10;
  int sum = tbb::parallel_reduce(
      tbb::blocked_range<int>(0, 1000, 10), 0,
      [](const tbb::blocked_range<int>& range, int partial) {
        for (int i = range.begin(); i != range.end(); ++i) partial += numbers[i];
        return partial;
      },
      [](int left, int right) { return left + right; });
  return sum != 4500;
}

int main() { return on_workers(run); }
