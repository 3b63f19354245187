// A filter of a pipeline runs a pipeline of its own, and the filter behind it reads what that one wrote.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_pipeline.h>

#include "../../workers.hpp"

int cells[4][6], sums[4];

static void fill(int row) {
  int next = 0;
  auto input = tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& control) {
    if (next == 6) control.stop();
    return next++;
  });
  auto store = tbb::make_filter<int, void>(tbb::filter_mode::parallel, [row](int column) { cells[row][column] = row + column; });
  tbb::parallel_pipeline(3, input & store);
}

static int run() {
  int made = 0;
  auto input = tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& control) {
    if (made == 4)
      control.stop();
    else
      fill(made);
    return made++;
  });
  auto add = tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order, [](int row) {
    for (int cell : cells[row]) sums[row] += cell;
  });
  tbb::parallel_pipeline(2, input & add);
  return sums[3] != 33;
}

int main() { return on_workers(run); }
