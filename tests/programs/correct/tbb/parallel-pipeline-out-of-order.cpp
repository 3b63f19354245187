// A filter that is serial but in no order keeps a total; items are values, too large for a register, that pass
// through three filters.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_pipeline.h>

#include <string>

#include "../../workers.hpp"

int made;
std::size_t total;

static int run() {
  auto input = tbb::make_filter<void, int>(tbb::filter_mode::serial_out_of_order, [](tbb::flow_control& control) {
    if (made == 40) control.stop();
    return made++;
  });
  auto spell = tbb::make_filter<int, std::string>(tbb::filter_mode::parallel,
                                                  [](int n) { return std::string(static_cast<std::size_t>(n), '*'); });
  auto count = tbb::make_filter<std::string, void>(tbb::filter_mode::serial_out_of_order,
                                                   [](const std::string& text) { total += text.size(); });
  tbb::parallel_pipeline(6, input & spell & count);
  return total != 780;
}

int main() { return on_workers(run); }
