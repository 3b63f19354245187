// Tasks of a group change two variables together, under a queuing_mutex that is acquired and released by hand.
// expect: clean
// workers: 1 2 8

#include <tbb/queuing_mutex.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

tbb::queuing_mutex mutex;
int sum, count;

static int run() {
  tbb::task_group group;
  for (int i = 0; i < 20; ++i)
    group.run([i] {
      tbb::queuing_mutex::scoped_lock lock;
      lock.acquire(mutex);
      sum += i;
      ++count;
      lock.release();
    });
  group.wait();
  return sum != 190 || count != 20;
}

int main() { return on_workers(run); }
