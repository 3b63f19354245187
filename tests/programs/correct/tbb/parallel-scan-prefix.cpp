// The functional form of a prefix sum; elements are written in the final pass only.
// expect: clean
// workers: 1 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include "../../workers.hpp"

int numbers[500], prefix[500];

static int run() {
  for (int i = 0; i < 500; ++i) numbers[i] = i % 5;
  int total = tbb::parallel_scan(
      tbb::blocked_range<int>(0, 500, 10), 0,
      [](const tbb::blocked_range<int>& range, int sum, bool is_final) {
        for (int i = range.begin(); i != range.end(); ++i) {
          sum += numbers[i];
          if (is_final) prefix[i] = sum;
        }
        return sum;
      },
      [](int left, int right) { return left + right; });
  return total != 1000 || prefix[499] != 1000 || prefix[249] != 500;
}

int main() { return on_workers(run); }
