// More tasks than the arena has slots execute functions in it, each with a cell of its own.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "../../workers.hpp"

int cells[16];

static int run() {
  tbb::task_arena arena(1, 1);
  tbb::parallel_for(
      0, 16,
      [&](int i) {
        int mine = i;
        arena.execute([&] { cells[i] = mine * 2; });
        ++cells[i];
      },
      tbb::simple_partitioner());
  return cells[15] != 31;
}

int main() { return on_workers(run); }
