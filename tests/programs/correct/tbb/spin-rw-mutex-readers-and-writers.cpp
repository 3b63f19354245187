// Readers share the lock, writers have it alone; a reader that must write upgrades, and looks again if it had to let
// go in between.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_for.h>
#include <tbb/spin_rw_mutex.h>

#include "../../workers.hpp"

tbb::spin_rw_mutex mutex;
int filled, cells[10];

static int run() {
  tbb::parallel_for(0, 40, [](int i) {
    const int cell = i % 10;
    tbb::spin_rw_mutex::scoped_lock lock(mutex, false);
    if (cells[cell] == 0) {
      const bool kept = lock.upgrade_to_writer();
      if (kept || cells[cell] == 0) {
        cells[cell] = i + 1;
        ++filled;
      }
    }
  });
  return filled != 10;
}

int main() { return on_workers(run); }
