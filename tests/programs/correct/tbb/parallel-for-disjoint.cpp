// Each iteration has an element of its own; the sum is taken when the loop is over.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int squares[100];

static int run() {
  tbb::parallel_for(0, 100, [](int i) { squares[i] = i * i; });
  int sum = 0;
  for (int square : squares) sum += square;
  return sum != 328350;
}

int main() { return on_workers(run); }
