// Isolated groups of different tasks share a row of cells: isolation says what a wait may run, not what runs beside it.
// expect: race
// workers: 1 2 8

#define TBB_PREVIEW_ISOLATED_TASK_GROUP 1
#include <tbb/task_group.h>

#include "../../workers.hpp"

int cells[4];

static int run() {
  tbb::task_group rows;
  for (int row = 0; row < 4; ++row)
    rows.run([row] {
      tbb::isolated_task_group columns;
      for (int column = 0; column < 4; ++column)
        columns.run([=] { cells[column] = row; });  // race: A
      columns.wait();
    });
  rows.wait();
  return 0;
}

int main() { return on_workers(run); }
