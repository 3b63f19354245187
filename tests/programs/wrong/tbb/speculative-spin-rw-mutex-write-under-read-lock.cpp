// Both tasks write, and hold the lock as readers.
// expect: race
// workers: 1 2 8

#include <tbb/spin_rw_mutex.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

tbb::speculative_spin_rw_mutex mutex;
int counter;

static int run() {
  tbb::task_group group;
  for (int i = 0; i < 2; ++i)
    group.run([] {
      tbb::speculative_spin_rw_mutex::scoped_lock lock(mutex, false);
      ++counter;  // race: A
    });
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
