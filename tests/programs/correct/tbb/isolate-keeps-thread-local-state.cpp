// While the inner loop waits, isolation keeps the thread from running another outer iteration, which would change its
// local state.
// expect: clean
// workers: 1 2 8

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>

#include "../../workers.hpp"

int cells[12][12];

static int run() {
  tbb::enumerable_thread_specific<int> current(-1);
  std::atomic<int> mistakes = 0;
  tbb::parallel_for(0, 12, [&](int row) {
    current.local() = row;
    tbb::this_task_arena::isolate([&] { tbb::parallel_for(0, 12, [=](int column) { cells[row][column] = 1; }); });
    if (current.local() != row) ++mistakes;
  });
  return mistakes != 0;
}

int main() { return on_workers(run); }
