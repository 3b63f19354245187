// Two groups: the creator waits for one and reads what a task of the other writes.
// expect: race
// workers: 1 2 8

#include <tbb/task_group.h>

#include "../../workers.hpp"

int left, right;

static void use(int seen) { asm volatile("" : : "r"(seen)); }

static int run() {
  tbb::task_group first, second;
  first.run([] { left = 1; });
  second.run([] { right = 2; });  // race: A
  first.wait();
  use(left);
  use(right);  // race: A
  second.wait();
  return 0;
}

int main() { return on_workers(run); }
