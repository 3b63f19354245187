// Tasks of a group are enqueued in an arena by their handles, and awaited there.
// expect: clean
// workers: 1 2 8

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

int parts[4];

static int run() {
  tbb::task_arena arena(3);
  tbb::task_group group;
  for (int i = 0; i < 3; ++i) arena.enqueue(group.defer([i] { parts[i] = i + 1; }));
  arena.execute([&] {
    group.run([] { parts[3] = 4; });
    group.wait();
  });
  return parts[0] + parts[1] + parts[2] + parts[3] != 10;
}

int main() { return on_workers(run); }
