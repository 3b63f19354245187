// A vector that is long enough to be sorted in parallel, twice, and read in between.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "../../workers.hpp"

static int run() {
  std::vector<int> numbers(5000);
  for (int i = 0; i < 5000; ++i) numbers[i] = static_cast<int>(i * 7919L % 5000);
  tbb::parallel_sort(numbers);
  if (!std::is_sorted(numbers.begin(), numbers.end())) return 1;
  tbb::parallel_sort(numbers.begin(), numbers.end(), std::greater<int>());
  return numbers[0] != 4999;
}

int main() { return on_workers(run); }
