// A prefix sum runs in one function, and another one reads an element that it writes.
// expect: race
// workers: 1 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_scan.h>

#include "../../workers.hpp"

int prefix[64], seen;

static int run() {
  tbb::parallel_invoke(
      [] {
        tbb::parallel_scan(
            tbb::blocked_range<int>(0, 64, 4), 0,
            [](const tbb::blocked_range<int>& range, int sum, bool is_final) {
              for (int i = range.begin(); i != range.end(); ++i) {
                sum += i;
                if (is_final) prefix[i] = sum;  // race: A
              }
              return sum;
            },
            [](int left, int right) { return left + right; });
      },
      [] {
        seen = prefix[40];  // race: A
      });
  return 0;
}

int main() { return on_workers(run); }
