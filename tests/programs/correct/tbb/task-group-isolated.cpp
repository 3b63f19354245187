// Groups whose waits run nothing but their own tasks; each is made and awaited by a task of another one.
// expect: clean
// workers: 1 2 8

#define TBB_PREVIEW_ISOLATED_TASK_GROUP 1
#include <tbb/task_group.h>

#include "../../workers.hpp"

int cells[4][4], sums[4];

static int run() {
  tbb::task_group rows;
  for (int row = 0; row < 4; ++row)
    rows.run([row] {
      tbb::isolated_task_group columns;
      for (int column = 0; column < 4; ++column) columns.run([=] { cells[row][column] = row + column; });
      columns.wait();
      for (int cell : cells[row]) sums[row] += cell;
    });
  rows.wait();
  return sums[3] != 18;
}

int main() { return on_workers(run); }
