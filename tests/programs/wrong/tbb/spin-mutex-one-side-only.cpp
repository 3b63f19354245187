// One task counts under the mutex, the other one without.
// expect: race
// workers: 1 2 8

#include <tbb/spin_mutex.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

tbb::spin_mutex mutex;
int counter;

static int run() {
  tbb::task_group group;
  group.run([] {
    tbb::spin_mutex::scoped_lock lock(mutex);
    ++counter;  // race: A
  });
  group.run([] {
    ++counter;  // race: A
  });
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
