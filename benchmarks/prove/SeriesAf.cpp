// 328 tasks compute a Fourier coefficient each.
// verdict: clean
// tasks: 329
// published: CG 750
// classes: 1

#include "prove.h"

#include "../fourier.h"

int main() {
  constexpr long kCoefficients = 328;
  const std::vector<double> f = series::tabulated(20);
  std::vector<series::Coefficient> result(kCoefficients);
  heddle::finish([&] {
    for (long n = 0; n < kCoefficients; ++n)
      heddle::async([&f, &result, n] {
        prove::Reads from(f.data(), f.size() * sizeof(double));
        prove::Writes to(&result[n], sizeof result[n]);
        result[n] = series::coefficient(f, n);
      });
  });
  bench::require(std::abs(result[0].a - 5.76) < 0.1, "the zeroth coefficient");
}
