// The recursion gives the middle element to both halves.
// expect: race
// workers: 1 2 8

#include <tbb/parallel_invoke.h>

#include "../../workers.hpp"

int numbers[65];

static void increment(int first, int last) {
  if (last - first == 1) {
    ++numbers[first];  // race: A
    ++numbers[last];   // race: A
    return;
  }
  const int middle = (first + last) / 2;
  tbb::parallel_invoke([=] { increment(first, middle); }, [=] { increment(middle, last); });
}

static int run() {
  increment(0, 64);
  return 0;
}

int main() { return on_workers(run); }
