// tbb::mutex under std::lock_guard and by lock, try_lock, unlock: tasks that do not get it at once yield and try again.
// expect: clean
// workers: 1 2 8

#include <oneapi/tbb/mutex.h>
#include <tbb/parallel_for.h>

#include <mutex>
#include <thread>

#include "../../workers.hpp"

tbb::mutex mutex;
int counter;

static int run() {
  tbb::parallel_for(0, 60, [](int i) {
    if (i % 3 == 0) {
      std::lock_guard lock(mutex);
      ++counter;
    } else if (i % 3 == 1) {
      mutex.lock();
      ++counter;
      mutex.unlock();
    } else {
      while (!mutex.try_lock()) std::this_thread::yield();
      ++counter;
      mutex.unlock();
    }
  });
  return counter != 60;
}

int main() { return on_workers(run); }
