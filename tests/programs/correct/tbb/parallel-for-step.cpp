// Every second index: an iteration has its element and the one beside it.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int pairs[60];

static int run() {
  tbb::parallel_for(0, 60, 2, [](int i) {
    pairs[i] = i;
    pairs[i + 1] = pairs[i] + 1;
  });
  return pairs[59] != 59;
}

int main() { return on_workers(run); }
