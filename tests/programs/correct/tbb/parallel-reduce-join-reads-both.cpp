// Bodies sum into arrays on the heap; a join reads what both of its halves wrote, through pointers.
// expect: clean
// workers: 1 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <memory>

#include "../../workers.hpp"

struct Histogram {
  std::unique_ptr<int[]> bins{new int[10]()};
  Histogram() = default;
  Histogram(Histogram&, tbb::split) {}
  void operator()(const tbb::blocked_range<int>& range) {
    for (int i = range.begin(); i != range.end(); ++i) ++bins[i * i % 10];
  }
  void join(const Histogram& right) {
    for (int i = 0; i < 10; ++i) bins[i] += right.bins[i];
  }
};

static int run() {
  Histogram total;
  tbb::parallel_reduce(tbb::blocked_range<int>(0, 1000, 8), total, tbb::simple_partitioner());
  Histogram again;
  tbb::parallel_deterministic_reduce(tbb::blocked_range<int>(0, 1000, 8), again, tbb::static_partitioner());
  for (int i = 0; i < 10; ++i)
    if (total.bins[i] != again.bins[i]) return 1;
  return total.bins[1] != 200;
}

int main() { return on_workers(run); }
