// The sum of the reciprocals of an array, by futures: each returns the sum of its part, the root gets them one after
// the other.
// expect: clean
// size: 500000 elements

#include <cmath>
#include <vector>

#include "async_finish.h"

namespace {

constexpr long kFutures = 16;

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 500'000, bench::Polynomial{1});
  std::vector<double> numbers(n);
  for (long i = 0; i < n; ++i) numbers[i] = static_cast<double>(i + 1);
  double total = 0;
  af::root([&] {
    std::vector<af::Future<double>> parts;
    for (long f = 0; f < kFutures; ++f)
      parts.emplace_back([&, f] {
        double sum = 0;
        for (long i = n * f / kFutures; i < n * (f + 1) / kFutures; ++i) sum += 1 / numbers[i];
        return sum;
      });
    for (const auto& part : parts) total += part.get();
  });
  // Euler: the n-th harmonic number is near log n + gamma + 1/2n.
  const double size = static_cast<double>(n);
  bench::require(std::abs(total - std::log(size) - 0.5772156649 - 0.5 / size) < 1e-3, "the harmonic number");
}
