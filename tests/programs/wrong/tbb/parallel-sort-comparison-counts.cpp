// The comparison counts how often it is called.
// expect: race
// workers: 1 2 8

#include <tbb/parallel_sort.h>

#include <vector>

#include "../../workers.hpp"

long comparisons;

static int run() {
  std::vector<int> numbers(4000);
  for (int i = 0; i < 4000; ++i) numbers[i] = static_cast<int>(i * 7919L % 4000);
  tbb::parallel_sort(numbers.begin(), numbers.end(), [](int a, int b) {
    ++comparisons;                    // race: A
    asm volatile("" : : : "memory");  // or the compiler counts in a register, on lines of the library's
    return a < b;
  });
  return 0;
}

int main() { return on_workers(run); }
