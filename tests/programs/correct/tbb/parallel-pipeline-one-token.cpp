// Two serial filters share a variable. With one token there is never an item in both.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_pipeline.h>

#include "../../workers.hpp"

int shared, made;

static int run() {
  auto input = tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, [](tbb::flow_control& control) {
    if (made == 20) control.stop();
    ++shared;
    return made++;
  });
  auto output = tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order, [](int) { ++shared; });
  tbb::parallel_pipeline(1, input & output);
  return shared != 41;
}

int main() { return on_workers(run); }
