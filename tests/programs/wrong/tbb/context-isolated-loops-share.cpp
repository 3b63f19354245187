// Two loops with contexts of their own, neither of which can cancel the other; they run beside each other and share a
// cell.
// expect: race
// workers: 1 2 8

#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

int cells[8];

static int run() {
  auto loop = [](int first) {
    tbb::task_group_context context(tbb::task_group_context::isolated);
    tbb::parallel_for(
        first, first + 5,
        [](int i) {
          cells[i] = i;  // race: A
        },
        tbb::simple_partitioner(), context);
  };
  tbb::parallel_invoke([&] { loop(0); }, [&] { loop(3); });
  return 0;
}

int main() { return on_workers(run); }
