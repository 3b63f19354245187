// Readers and writers of a pair that must stay equal; sections may run as transactions.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_for.h>
#include <tbb/spin_rw_mutex.h>

#include <atomic>

#include "../../workers.hpp"

tbb::speculative_spin_rw_mutex mutex;
int first, second;
std::atomic<int> mistakes;

static int run() {
  tbb::parallel_for(0, 40, [](int i) {
    tbb::speculative_spin_rw_mutex::scoped_lock lock(mutex, i % 4 == 0);
    if (i % 4 == 0)
      ++first, ++second;
    else if (first != second)
      ++mistakes;
  });
  return mistakes != 0 || first != 10;
}

int main() { return on_workers(run); }
