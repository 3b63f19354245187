// 353 futures compute a Fourier coefficient each; the initial task asks for all of them.
// verdict: clean
// tasks: 354
// published: CG 630
// classes: 1

#include "prove.h"

#include "../fourier.h"

int main() {
  constexpr long kCoefficients = 353;
  const std::vector<double> f = series::tabulated(20);
  double sum = 0;
  heddle::finish([&] {
    std::vector<heddle::future<series::Coefficient>> futures;
    for (long n = 0; n < kCoefficients; ++n)
      futures.push_back(heddle::async([&f, n] {
        prove::Reads from(f.data(), f.size() * sizeof(double));
        return series::coefficient(f, n);
      }));
    for (const auto& future : futures) sum += future.get().a;
    bench::require(std::abs(futures[0].get().a - 5.76) < 0.1, "the zeroth coefficient");
  });
  bench::require(std::isfinite(sum), "the sum");
}
