// A range of two dimensions: each cell of the product is written once.
// expect: clean
// workers: 1 2 8

#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int a[12][12], b[12][12], product[12][12];

static int run() {
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) a[i][j] = i + j, b[i][j] = i == j;
  tbb::parallel_for(tbb::blocked_range2d<int>(0, 12, 3, 0, 12, 4), [](const tbb::blocked_range2d<int>& range) {
    for (int i = range.rows().begin(); i != range.rows().end(); ++i)
      for (int j = range.cols().begin(); j != range.cols().end(); ++j) {
        int sum = 0;
        for (int k = 0; k < 12; ++k) sum += a[i][k] * b[k][j];
        product[i][j] = sum;
      }
  });
  return product[3][4] != 7;
}

int main() { return on_workers(run); }
