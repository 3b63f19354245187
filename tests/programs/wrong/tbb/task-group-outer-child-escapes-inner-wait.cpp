// Inside an inner group's lifetime a task goes to the outer group: the inner wait does not wait for it.
// expect: race
// workers: 1 2 8

#include <tbb/task_group.h>

#include "../../workers.hpp"

int value, beside;

static void use(int seen) { asm volatile("" : : "r"(seen)); }

static int run() {
  tbb::task_group outer;
  outer.run_and_wait([&outer] {
    tbb::task_group inner;
    inner.run([&outer] {
      outer.run([] { value = 1; });  // race: A
      beside = 1;
    });
    inner.wait();
    use(beside);
    use(value);  // race: A
  });
  return 0;
}

int main() { return on_workers(run); }
