// The maximum of a page is shared by the pieces that the page was cut into.
// expect: race
// workers: 1 2 8

#include <tbb/blocked_range3d.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int box[4][4][4], maximum[4];

static int run() {
  box[1][2][3] = 5;
  tbb::parallel_for(
      tbb::blocked_range3d<int>(0, 4, 1, 0, 4, 1, 0, 4, 1),
      [](const tbb::blocked_range3d<int>& range) {
        for (int i = range.pages().begin(); i != range.pages().end(); ++i)
          for (int j = range.rows().begin(); j != range.rows().end(); ++j)
            for (int k = range.cols().begin(); k != range.cols().end(); ++k)
              if (box[i][j][k] >= maximum[i])   // race: A
                maximum[i] = box[i][j][k] + 1;  // race: A
      },
      tbb::simple_partitioner());
  return 0;
}

int main() { return on_workers(run); }
