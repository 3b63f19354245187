// Two serial filters write the same variable: an item may be in the one while the next is in the other.
// expect: race
// workers: 1 2 8

#include <tbb/parallel_pipeline.h>

#include "../../workers.hpp"

int made, last;

static int run() {
  auto input = tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, [](tbb::flow_control& control) {
    if (made == 10) control.stop();
    last = made;  // race: A
    return made++;
  });
  auto output = tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order, [](int item) {
    last = item;  // race: A
  });
  tbb::parallel_pipeline(4, input & output);
  return 0;
}

int main() { return on_workers(run); }
