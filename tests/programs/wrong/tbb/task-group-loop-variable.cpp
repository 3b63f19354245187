// The tasks see the loop variable itself, which the creator counts on.
// expect: race
// workers: 1 2 8

#include <tbb/task_group.h>

#include "../../workers.hpp"

static void use(int seen) { asm volatile("" : : "r"(seen)); }

static int run() {
  tbb::task_group group;
  int i;
  for (i = 0; i < 8; ++i)         // race: A
    group.run([&i] { use(i); });  // race: A
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
