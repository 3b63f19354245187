// Limits that come and go around loops: results are the same.
// expect: clean
// workers: 1 2 8

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int cells[40];

static int run() {
  for (std::size_t limit : {1, 3, 2}) {
    tbb::global_control control(tbb::global_control::max_allowed_parallelism, limit);
    tbb::global_control stack(tbb::global_control::thread_stack_size, 1 << 20);
    tbb::parallel_for(0, 40, [](int i) { cells[i] += i; });
  }
  return cells[39] != 117;
}

int main() { return on_workers(run); }
