// A null_mutex looks like a mutex and locks nothing.
// expect: race
// workers: 1 2 8

#include <tbb/null_mutex.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

tbb::null_mutex mutex;
int counter;

static int run() {
  tbb::parallel_for(0, 20, [](int) {
    tbb::null_mutex::scoped_lock lock(mutex);
    ++counter;  // race: A
  });
  return 0;
}

int main() { return on_workers(run); }
