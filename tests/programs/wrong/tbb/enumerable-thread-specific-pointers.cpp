// Each thread has a pointer of its own, but all of them point to the same counter.
// expect: race
// workers: 1 2 8

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int counter;

static int run() {
  tbb::enumerable_thread_specific<int*> counters([] { return &counter; });
  tbb::parallel_for(0, 40, [&](int) {
    ++*counters.local();  // race: A
  });
  return 0;
}

int main() { return on_workers(run); }
