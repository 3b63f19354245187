// A task writes and cancels its group; the creator writes before it has waited: what is cancelled may still run.
// expect: race
// workers: 1 2 8

#include <tbb/task_group.h>

#include "../../workers.hpp"

int value;

static int run() {
  tbb::task_group group;
  group.run([&group] {
    value = 1;  // race: A
    group.cancel();
  });
  value = 2;  // race: A
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
