// The ring has fewer buffers than there are tokens: a buffer is filled again while its last item may still be on its
// way.
// expect: race
// workers: 1 2 8

#include <tbb/parallel_pipeline.h>

#include "../../workers.hpp"

int ring[2], made, sum;

static int run() {
  auto input = tbb::make_filter<void, int*>(tbb::filter_mode::serial_in_order, [](tbb::flow_control& control) -> int* {
    if (made == 30) {
      control.stop();
      return nullptr;
    }
    int* buffer = &ring[made % 2];
    *buffer = made++;  // race: A
    return buffer;
  });
  auto output = tbb::make_filter<int*, void>(tbb::filter_mode::serial_in_order, [](int* buffer) {
    sum += *buffer;  // race: A
  });
  tbb::parallel_pipeline(8, input & output);
  return 0;
}

int main() { return on_workers(run); }
