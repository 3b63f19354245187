// A mutex that may run its sections as transactions; there are mutexes for single cells, too.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_for.h>
#include <tbb/spin_mutex.h>

#include "../../workers.hpp"

tbb::speculative_spin_mutex all, each[4];
int total, cells[4];

static int run() {
  tbb::parallel_for(0, 40, [](int i) {
    {
      tbb::speculative_spin_mutex::scoped_lock lock(all);
      total += i;
    }
    tbb::speculative_spin_mutex::scoped_lock lock(each[i % 4]);
    ++cells[i % 4];
  });
  return total != 780 || cells[3] != 10;
}

int main() { return on_workers(run); }
