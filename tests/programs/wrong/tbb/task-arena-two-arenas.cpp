// A task in each of two arenas: they write the same variable.
// expect: race
// workers: 1 2 8

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

int value;

static int run() {
  tbb::task_arena left(2), right(2);
  tbb::task_group first, second;
  left.execute([&] {
    first.run([] { value = 1; });  // race: A
  });
  right.execute([&] {
    second.run([] { value = 2; });  // race: A
  });
  left.execute([&] { first.wait(); });
  right.execute([&] { second.wait(); });
  return 0;
}

int main() { return on_workers(run); }
