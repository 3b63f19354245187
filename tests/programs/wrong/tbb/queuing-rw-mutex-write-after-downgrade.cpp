// A writer downgrades and writes on, beside a reader. If the reader came first, its release hides the race in this run.
// expect: predicted
// workers: 1 2 8

#include <tbb/queuing_rw_mutex.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

tbb::queuing_rw_mutex mutex;
int before, after;

static void use(int seen) { asm volatile("" : : "r"(seen)); }

static int run() {
  tbb::task_group group;
  group.run([] {
    tbb::queuing_rw_mutex::scoped_lock lock(mutex, true);
    before = 1;
    lock.downgrade_to_reader();
    after = 1;  // race: A
  });
  group.run([] {
    tbb::queuing_rw_mutex::scoped_lock lock(mutex, false);
    use(before);
    use(after);  // race: A
  });
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
