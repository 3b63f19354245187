// Three filters: input and output are serial and keep state of their own, the one between them changes the item only.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_pipeline.h>

#include "../../workers.hpp"

int made, written, squares[50];

static int run() {
  auto input = tbb::make_filter<void, int*>(tbb::filter_mode::serial_in_order, [](tbb::flow_control& control) -> int* {
    if (made == 50) {
      control.stop();
      return nullptr;
    }
    return new int(made++);
  });
  auto square = tbb::make_filter<int*, int*>(tbb::filter_mode::parallel, [](int* item) {
    *item = *item * *item;
    return item;
  });
  auto output = tbb::make_filter<int*, void>(tbb::filter_mode::serial_in_order, [](int* item) {
    squares[written++] = *item;
    delete item;
  });
  tbb::parallel_pipeline(8, input & square & output);
  for (int i = 0; i < 50; ++i)
    if (squares[i] != i * i) return 1;
  return 0;
}

int main() { return on_workers(run); }
