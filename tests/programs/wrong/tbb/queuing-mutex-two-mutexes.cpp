// Both tasks hold a mutex, but not the same.
// expect: race
// workers: 1 2 8

#include <tbb/queuing_mutex.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

tbb::queuing_mutex first, second;
int counter;

static int run() {
  tbb::task_group group;
  group.run([] {
    tbb::queuing_mutex::scoped_lock lock(first);
    ++counter;  // race: A
  });
  group.run([] {
    tbb::queuing_mutex::scoped_lock lock(second);
    ++counter;  // race: A
  });
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
