// A task is made and run before its input is written.
// expect: race
// workers: 1 2 8

#include <tbb/task_group.h>

#include <utility>

#include "../../workers.hpp"

int input, output;

static int run() {
  tbb::task_group group;
  tbb::task_handle task = group.defer([] {
    output = input;  // race: A
  });
  group.run(std::move(task));
  input = 41;  // race: A
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
