// The first filter is parallel, too: it counts by an atomic variable, and stops when all have been given out.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_pipeline.h>

#include <atomic>

#include "../../workers.hpp"

std::atomic<int> made;
int doubled[30];

static int run() {
  auto input = tbb::make_filter<void, int>(tbb::filter_mode::parallel, [](tbb::flow_control& control) {
    const int item = made++;
    if (item >= 30) control.stop();
    return item;
  });
  auto store = tbb::make_filter<int, void>(tbb::filter_mode::parallel, [](int item) { doubled[item] = 2 * item; });
  tbb::parallel_pipeline(4, input & store);
  return doubled[29] != 58;
}

int main() { return on_workers(run); }
