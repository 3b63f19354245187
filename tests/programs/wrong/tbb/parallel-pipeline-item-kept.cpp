// The first filter changes the item that it passed on the last time.
// expect: race
// workers: 1 2 8

#include <tbb/parallel_pipeline.h>

#include "../../workers.hpp"

int items[12], made;

static int run() {
  auto input = tbb::make_filter<void, int*>(tbb::filter_mode::serial_in_order, [](tbb::flow_control& control) -> int* {
    if (made > 0)
      items[made - 1] += 100;  // race: A
    if (made == 12) {
      control.stop();
      return nullptr;
    }
    items[made] = made;
    return &items[made++];
  });
  auto change = tbb::make_filter<int*, void>(tbb::filter_mode::parallel, [](int* item) {
    *item += 1;  // race: A
  });
  tbb::parallel_pipeline(4, input & change);
  return 0;
}

int main() { return on_workers(run); }
