// A task holds the mutex of a cell and writes the cell beside it.
// expect: race
// workers: 1 2 8

#include <tbb/spin_mutex.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

tbb::speculative_spin_mutex each[2];
int cells[2];

static int run() {
  tbb::task_group group;
  for (int i = 0; i < 2; ++i)
    group.run([i] {
      tbb::speculative_spin_mutex::scoped_lock lock(each[i]);
      cells[1] += i;  // race: A
    });
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
