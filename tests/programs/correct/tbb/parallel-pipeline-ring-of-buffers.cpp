// The first filter fills a buffer of a ring that has as many as there are tokens: whoever had the buffer before is
// through.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_pipeline.h>

#include "../../workers.hpp"

enum { TOKENS = 4 };
int ring[TOKENS], made, sum;

static int run() {
  auto input = tbb::make_filter<void, int*>(tbb::filter_mode::serial_in_order, [](tbb::flow_control& control) -> int* {
    if (made == 30) {
      control.stop();
      return nullptr;
    }
    int* buffer = &ring[made % TOKENS];
    *buffer = made++;
    return buffer;
  });
  auto change = tbb::make_filter<int*, int*>(tbb::filter_mode::parallel, [](int* buffer) {
    *buffer *= 2;
    return buffer;
  });
  auto output = tbb::make_filter<int*, void>(tbb::filter_mode::serial_in_order, [](int* buffer) { sum += *buffer; });
  tbb::parallel_pipeline(TOKENS, input & change & output);
  return sum != 870;
}

int main() { return on_workers(run); }
