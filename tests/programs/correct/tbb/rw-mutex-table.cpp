// tbb::rw_mutex under std::shared_lock and std::unique_lock: a table that is mostly read.
// expect: clean
// workers: 1 2 8

#include <oneapi/tbb/rw_mutex.h>
#include <tbb/parallel_for.h>

#include <map>
#include <mutex>
#include <shared_mutex>

#include "../../workers.hpp"

tbb::rw_mutex mutex;
std::map<int, int> table;

static int run() {
  tbb::parallel_for(0, 50, [](int i) {
    {
      std::shared_lock reading(mutex);
      if (table.count(i % 5)) return;
    }
    std::unique_lock writing(mutex);
    table.emplace(i % 5, i);
  });
  return table.size() != 5;
}

int main() { return on_workers(run); }
