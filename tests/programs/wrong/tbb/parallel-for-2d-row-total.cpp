// A range of two dimensions is cut in both: the cells of one row are in several pieces, and share the total of the row.
// expect: race
// workers: 1 2 8

#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int cells[8][8], total[8];

static int run() {
  tbb::parallel_for(
      tbb::blocked_range2d<int>(0, 8, 1, 0, 8, 1),
      [](const tbb::blocked_range2d<int>& range) {
        for (int i = range.rows().begin(); i != range.rows().end(); ++i)
          for (int j = range.cols().begin(); j != range.cols().end(); ++j)
            total[i] += cells[i][j];  // race: A
      },
      tbb::simple_partitioner());
  return 0;
}

int main() { return on_workers(run); }
