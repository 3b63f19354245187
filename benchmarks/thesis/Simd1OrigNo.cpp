// The sum of two vectors by tasks whose own loop is marked for vector instructions.
// expect: clean
// size: 100000 elements

#include <vector>

#include "async_finish.h"

namespace {

constexpr long kTasks = 100;

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  std::vector<int> a(n), b(n, 1), c(n, 2);
  af::root([&] {
    af::forall(0, kTasks, kTasks, [&](long task) {
#pragma omp simd
      for (long i = n * task / kTasks; i < n * (task + 1) / kTasks; ++i) a[i] = b[i] + c[i];
    });
  });
  for (int number : a) bench::require(number == 3, "an element of the sum");
}
