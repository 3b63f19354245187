// The table is filled once, and then each iteration changes an entry.
// expect: race
// workers: 1 2 8

#include <oneapi/tbb/collaborative_call_once.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

tbb::collaborative_once_flag flag;
int entry;

static int run() {
  tbb::task_group group;
  for (int i = 0; i < 2; ++i)
    group.run([] {
      tbb::collaborative_call_once(flag, [] { entry = 1; });
      entry += 1;  // race: A
    });
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
