// Two tasks are resumed by the tasks they started, and then write the same variable: a resume orders one task only.
// expect: race
// workers: 1 2 8

#include <tbb/task.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

int value;

static int run() {
  tbb::task_group group;
  for (int i = 0; i < 2; ++i)
    group.run([&, i] {
      tbb::task::suspend([&](tbb::task::suspend_point point) { group.run([point] { tbb::task::resume(point); }); });
      value = i;  // race: A
    });
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
