// The creator reads what a task of its group writes before it has waited for the group.
// expect: race
// workers: 1 2 8

#include <tbb/task_group.h>

#include "../../workers.hpp"

int value;

static void use(int seen) { asm volatile("" : : "r"(seen)); }

static int run() {
  tbb::task_group group;
  group.run([] { value = 42; });  // race: A
  use(value);                     // race: A
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
