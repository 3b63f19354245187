// A parallel filter counts the items it has seen.
// expect: race
// workers: 1 2 8

#include <tbb/parallel_pipeline.h>

#include "../../workers.hpp"

int made, seen;

static int run() {
  auto input = tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, [](tbb::flow_control& control) {
    if (made == 10) control.stop();
    return made++;
  });
  auto count = tbb::make_filter<int, void>(tbb::filter_mode::parallel, [](int) {
    ++seen;  // race: A
  });
  tbb::parallel_pipeline(4, input & count);
  return 0;
}

int main() { return on_workers(run); }
