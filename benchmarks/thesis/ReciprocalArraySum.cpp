// The sum of the reciprocals of an array by two tasks. Each has its own partial sum; the root adds them after the
// finish.
// expect: clean
// size: 500000 elements

#include <cmath>
#include <vector>

#include "async_finish.h"

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 500'000, bench::Polynomial{1});
  std::vector<double> numbers(n);
  for (long i = 0; i < n; ++i) numbers[i] = static_cast<double>(i + 1);
  double sums[2] = {0, 0};
  af::root([&] {
    af::forall(0, 2, 2, [&](long half) {
      double sum = 0;
      for (long i = n * half / 2; i < n * (half + 1) / 2; ++i) sum += 1 / numbers[i];
      sums[half] = sum;
    });
  });
  // Euler: the n-th harmonic number is near log n + gamma + 1/2n.
  const double size = static_cast<double>(n);
  bench::require(std::abs(sums[0] + sums[1] - std::log(size) - 0.5772156649 - 0.5 / size) < 1e-3,
                 "the harmonic number");
}
