// A function is executed in another arena, perhaps by another thread; its caller waits for it, and takes its value.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "../../workers.hpp"

int cells[32];

static int run() {
  tbb::task_arena arena(2);
  int before = 3;
  int sum = arena.execute([&] {
    tbb::parallel_for(0, 32, [&](int i) { cells[i] = before + i; });
    int all = 0;
    for (int cell : cells) all += cell;
    return all;
  });
  before = 4;
  arena.execute([] {
    for (int& cell : cells) cell = 0;
  });
  return sum != 592 || cells[5] != 0;
}

int main() { return on_workers(run); }
