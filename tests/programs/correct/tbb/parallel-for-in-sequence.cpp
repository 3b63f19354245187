// A loop waits for its iterations: the next one may read all that they wrote.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int a[50], b[50];

static int run() {
  tbb::parallel_for(0, 50, [](int i) { a[i] = i; });
  tbb::parallel_for(0, 50, [](int i) { b[i] = a[49 - i]; });
  tbb::parallel_for(0, 50, [](int i) { a[i] = b[i] + b[(i + 7) % 50]; });
  return a[0] != 49 + 42;
}

int main() { return on_workers(run); }
