// A task writes under the lock, another one reads without it.
// expect: race
// workers: 1 2 8

#include <oneapi/tbb/rw_mutex.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

tbb::rw_mutex mutex;
int value;

static void use(int seen) { asm volatile("" : : "r"(seen)); }

static int run() {
  tbb::task_group group;
  group.run([] {
    tbb::rw_mutex::scoped_lock lock(mutex, true);
    value = 1;  // race: A
  });
  group.run([] { use(value); });  // race: A
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
