// The comparison of a parallel sort leaves what it saw last in one variable.
// expect: race
// workers: 1 2 8

#include <algorithm>
#include <execution>
#include <vector>

#include "../../workers.hpp"

int last_seen;

static int run() {
  std::vector<int> numbers(4000);
  for (int i = 0; i < 4000; ++i) numbers[i] = i * 77 % 4000;
  std::sort(std::execution::par, numbers.begin(), numbers.end(), [](int a, int b) {
    last_seen = a;                    // race: A
    asm volatile("" : : : "memory");  // or the compiler keeps it in a register, on lines of the library's
    return a < b;
  });
  return 0;
}

int main() { return on_workers(run); }
