// There are two tokens, and the last filter is parallel: the first item may still be there when the sixth comes in.
// expect: race
// workers: 1 2 8

#include <tbb/parallel_pipeline.h>

#include "../../workers.hpp"

int items, slow, seen;

static int run() {
  auto input = tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, [](tbb::flow_control& control) {
    if (items == 8) control.stop();
    if (items == 5) seen = slow;  // race: A
    return items++;
  });
  auto output = tbb::make_filter<int, void>(tbb::filter_mode::parallel, [](int item) {
    if (item == 0) slow = 1;  // race: A
  });
  tbb::parallel_pipeline(2, input & output);
  return 0;
}

int main() { return on_workers(run); }
