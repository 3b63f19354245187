// A limit of one thread runs the tasks one after the other. The program is wrong as soon as somebody lifts it.
// expect: race
// workers: 1 2 8

#include <tbb/global_control.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

int value;

static int run() {
  tbb::global_control control(tbb::global_control::max_allowed_parallelism, 1);
  tbb::task_group group;
  group.run([] { value = 1; });  // race: A
  group.run([] { value = 2; });  // race: A
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
