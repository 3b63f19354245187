// combinable: a sum for each thread, cleared and used again.
// expect: clean
// workers: 1 2 8

#include <tbb/combinable.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

static int run() {
  tbb::combinable<int> sums([] { return 0; });
  tbb::parallel_for(0, 100, [&](int i) { sums.local() += i; });
  if (sums.combine([](int a, int b) { return a + b; }) != 4950) return 1;
  sums.clear();
  tbb::parallel_for(0, 10, [&](int i) { sums.local() += i; });
  int total = 0;
  sums.combine_each([&](int sum) { total += sum; });
  return total != 45;
}

int main() { return on_workers(run); }
