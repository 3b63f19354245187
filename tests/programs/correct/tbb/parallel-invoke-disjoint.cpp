// Three functions with a part each, one of which invokes two more.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_invoke.h>

#include "../../workers.hpp"

int parts[4];

static int run() {
  tbb::parallel_invoke([] { parts[0] = 1; }, [] { parts[1] = 2; },
                       [] { tbb::parallel_invoke([] { parts[2] = 3; }, [] { parts[3] = 4; }); });
  return parts[0] + parts[1] + parts[2] + parts[3] != 10;
}

int main() { return on_workers(run); }
