// An iteration that has found something cancels the context of the loop; which others still run is open, and each has
// a cell of its own.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include <atomic>

#include "../../workers.hpp"

int looked_at[200];
std::atomic<int> found{-1};

static int run() {
  tbb::task_group_context context;
  tbb::parallel_for(
      0, 200,
      [&](int i) {
        looked_at[i] = 1;
        if (i == 77) {
          found = i;
          context.cancel_group_execution();
        }
      },
      tbb::auto_partitioner(), context);
  const bool cancelled = context.is_group_execution_cancelled();
  context.reset();
  int sum = 0;
  tbb::parallel_for(
      0, 1, [&](int) { sum = looked_at[77]; }, tbb::auto_partitioner(), context);
  return !cancelled || found != 77 || sum != 1;
}

int main() { return on_workers(run); }
