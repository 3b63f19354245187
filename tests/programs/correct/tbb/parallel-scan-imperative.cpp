// The imperative form: bodies are split, joined in reverse and assigned; each carries its own running maximum.
// expect: clean
// workers: 1 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include "../../workers.hpp"

int numbers[300], maxima[300];

struct Maximum {
  int so_far = 0;
  Maximum() = default;
  Maximum(Maximum&, tbb::split) {}
  template <class Pass>
  void operator()(const tbb::blocked_range<int>& range, Pass) {
    for (int i = range.begin(); i != range.end(); ++i) {
      if (numbers[i] > so_far) so_far = numbers[i];
      if (Pass::is_final_scan()) maxima[i] = so_far;
    }
  }
  void reverse_join(const Maximum& left) {
    if (left.so_far > so_far) so_far = left.so_far;
  }
  void assign(const Maximum& other) { so_far = other.so_far; }
};

static int run() {
  for (int i = 0; i < 300; ++i) numbers[i] = i * 37 % 300;
  Maximum body;
  tbb::parallel_scan(tbb::blocked_range<int>(0, 300, 4), body, tbb::simple_partitioner());
  int expected = 0;
  for (int i = 0; i < 300; ++i) {
    if (numbers[i] > expected) expected = numbers[i];
    if (maxima[i] != expected) return 1;
  }
  return body.so_far != 299;
}

int main() { return on_workers(run); }
