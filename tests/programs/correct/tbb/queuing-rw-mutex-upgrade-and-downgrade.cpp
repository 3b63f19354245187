// Writers downgrade and read on; readers upgrade and write.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_for.h>
#include <tbb/queuing_rw_mutex.h>

#include <atomic>

#include "../../workers.hpp"

tbb::queuing_rw_mutex mutex;
int version;
std::atomic<int> seen;

static int run() {
  tbb::parallel_for(0, 30, [](int i) {
    tbb::queuing_rw_mutex::scoped_lock lock;
    if (i % 3 == 0) {
      lock.acquire(mutex, true);
      ++version;
      lock.downgrade_to_reader();
      seen += version > 0;
    } else if (i % 3 == 1) {
      lock.acquire(mutex, false);
      seen += version >= 0;
      lock.upgrade_to_writer();
      ++version;
    } else if (lock.try_acquire(mutex, false)) {
      seen += version < 0;
    }
    if (i % 3 != 2) lock.release();
  });
  return version != 20 || seen != 20;
}

int main() { return on_workers(run); }
