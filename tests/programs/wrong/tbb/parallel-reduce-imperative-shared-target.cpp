// The bodies carry a pointer to one vector: what was split shares its target.
// expect: race
// workers: 1 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "../../workers.hpp"

int histogram[4];

struct Count {
  int* target;
  explicit Count(int* bins) : target(bins) {}
  Count(Count& other, tbb::split) : target(other.target) {}
  void operator()(const tbb::blocked_range<int>& range) {
    for (int i = range.begin(); i != range.end(); ++i)
      ++target[i % 4];  // race: A
  }
  void join(Count&) {}
};

static int run() {
  Count body(histogram);
  tbb::parallel_reduce(tbb::blocked_range<int>(0, 64, 4), body, tbb::simple_partitioner());
  return 0;
}

int main() { return on_workers(run); }
