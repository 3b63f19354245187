// All iterations count in one variable, under a spin_mutex.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_for.h>
#include <tbb/spin_mutex.h>

#include "../../workers.hpp"

tbb::spin_mutex mutex;
int counter;

static int run() {
  tbb::parallel_for(0, 100, [](int) {
    tbb::spin_mutex::scoped_lock lock(mutex);
    ++counter;
  });
  return counter != 100;
}

int main() { return on_workers(run); }
