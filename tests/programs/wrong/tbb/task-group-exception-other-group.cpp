// A task of one group throws; the handler reads what a task of another group writes, which nobody has waited for.
// expect: race
// workers: 1 2 8

#include <tbb/task_group.h>

#include "../../workers.hpp"

int progress;

static void use(int seen) { asm volatile("" : : "r"(seen)); }

static int run() {
  tbb::task_group writers, checkers;
  writers.run([] { progress = 1; });  // race: A
  checkers.run([] { throw 1; });
  try {
    checkers.wait();
  } catch (int) {
    use(progress);  // race: A
  }
  writers.wait();
  return 0;
}

int main() { return on_workers(run); }
