// A range of three dimensions, from one box into another.
// expect: clean
// workers: 1 2 8

#include <tbb/blocked_range3d.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int from[6][6][6], to[6][6][6];

static int run() {
  from[5][5][5] = 3;
  tbb::parallel_for(tbb::blocked_range3d<int>(0, 6, 0, 6, 0, 6), [](const tbb::blocked_range3d<int>& range) {
    for (int i = range.pages().begin(); i != range.pages().end(); ++i)
      for (int j = range.rows().begin(); j != range.rows().end(); ++j)
        for (int k = range.cols().begin(); k != range.cols().end(); ++k)
          to[i][j][k] = from[(i + 5) % 6][(j + 5) % 6][(k + 5) % 6];
  });
  return to[0][0][0] != 3;
}

int main() { return on_workers(run); }
