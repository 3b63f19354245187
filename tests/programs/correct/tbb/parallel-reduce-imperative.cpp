// The imperative form: a body that is split carries a vector of its own, which join appends.
// expect: clean
// workers: 1 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <vector>

#include "../../workers.hpp"

struct Collect {
  std::vector<int> multiples;
  Collect() = default;
  Collect(Collect&, tbb::split) {}
  void operator()(const tbb::blocked_range<int>& range) {
    for (int i = range.begin(); i != range.end(); ++i)
      if (i % 7 == 0) multiples.push_back(i);
  }
  void join(Collect& right) { multiples.insert(multiples.end(), right.multiples.begin(), right.multiples.end()); }
};

static int run() {
  Collect body;
  tbb::parallel_reduce(tbb::blocked_range<int>(0, 300, 4), body);
  for (int i = 0; i < 43; ++i)
    if (body.multiples[i] != 7 * i) return 1;
  return body.multiples.size() != 43;
}

int main() { return on_workers(run); }
