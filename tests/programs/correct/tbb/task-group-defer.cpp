// A task is made early and run late: it sees what its creator wrote in between.
// expect: clean
// workers: 1 2 8

#include <tbb/task_group.h>

#include <utility>

#include "../../workers.hpp"

int input, output;

static int run() {
  tbb::task_group group;
  tbb::task_handle task = group.defer([] { output = input + 1; });
  input = 41;
  group.run(std::move(task));
  group.wait();
  tbb::task_handle last = group.defer([] { ++output; });
  ++output;
  group.run_and_wait(std::move(last));
  return output != 44;
}

int main() { return on_workers(run); }
