// One of the functions reads what another one writes.
// expect: race
// workers: 1 2 8

#include <tbb/parallel_invoke.h>

#include "../../workers.hpp"

int table[4], copy[4];

static int run() {
  tbb::parallel_invoke(
      [] {
        for (int i = 0; i < 4; ++i)
          table[i] = i;  // race: A
      },
      [] {
        for (int i = 0; i < 4; ++i)
          copy[i] = table[i];  // race: A
      });
  return 0;
}

int main() { return on_workers(run); }
