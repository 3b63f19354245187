// The tasks try to take the mutex and go on in any case. The creator holds it until they have ended, so none of them
// gets it.
// expect: race
// workers: 1 2 8

#include <tbb/spin_mutex.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

tbb::spin_mutex mutex;
int counter;

static int run() {
  tbb::spin_mutex::scoped_lock held(mutex);
  tbb::task_group group;
  for (int i = 0; i < 2; ++i)
    group.run([] {
      tbb::spin_mutex::scoped_lock lock;
      lock.try_acquire(mutex);
      ++counter;  // race: A
    });
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
