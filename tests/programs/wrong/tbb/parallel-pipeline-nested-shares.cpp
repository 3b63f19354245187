// Pipelines inside a parallel filter of a pipeline: those of different items write the same cells.
// expect: race
// workers: 1 2 8

#include <tbb/parallel_pipeline.h>

#include "../../workers.hpp"

int cells[6];

static void fill(int value) {
  int next = 0;
  auto input = tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& control) {
    if (next == 6) control.stop();
    return next++;
  });
  auto store = tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order, [value](int column) {
    cells[column] = value;  // race: A
  });
  tbb::parallel_pipeline(3, input & store);
}

static int run() {
  int made = 0;
  auto input = tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& control) {
    if (made == 4) control.stop();
    return made++;
  });
  auto run_one = tbb::make_filter<int, void>(tbb::filter_mode::parallel, [](int item) { fill(item); });
  tbb::parallel_pipeline(4, input & run_one);
  return 0;
}

int main() { return on_workers(run); }
