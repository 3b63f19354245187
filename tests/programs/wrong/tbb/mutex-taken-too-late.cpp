// The mutex is taken when the first of two variables has been changed already.
// expect: race
// workers: 1 2 8

#include <oneapi/tbb/mutex.h>
#include <tbb/task_group.h>

#include <mutex>

#include "../../workers.hpp"

tbb::mutex mutex;
int sum, count;

static int run() {
  tbb::task_group group;
  group.run([] {
    ++count;  // race: A
    std::lock_guard lock(mutex);
    sum += 1;
  });
  group.run([] {
    ++count;  // race: A
    std::lock_guard lock(mutex);
    sum += 2;
  });
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
