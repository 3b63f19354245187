// The Series kernel of the Java Grande suite, as its description says: the first Fourier coefficients of (x+1)^x on [0,2], each by
// the trapezoid rule. A task has some coefficients to itself; the function's values are tabulated once and read by all.
#pragma once

#include <cmath>
#include <vector>

#include "async_finish.h"

namespace series {

constexpr long kIntervals = 1000;
constexpr long kTasks = 328;  // with the root 329, as Nakade et al. count
constexpr double kPi = 3.14159265358979323846;

struct Coefficient {
  double a = 0, b = 0;
};

// The integrals over the period of 2 of f(x) cos(pi n x) and f(x) sin(pi n x). The angle's cosine and sine are turned on from point
// to point by the addition theorem.
inline Coefficient coefficient(const std::vector<double>& f, long n) {
  const double step = 2.0 / kIntervals;
  const double turn_cos = std::cos(kPi * static_cast<double>(n) * step);
  const double turn_sin = std::sin(kPi * static_cast<double>(n) * step);
  double cosine = 1, sine = 0;
  Coefficient sum;
  for (long i = 0; i <= kIntervals; ++i) {
    const double value = (i == 0 || i == kIntervals ? 0.5 : 1.0) * f[i];
    sum.a += value * cosine;
    sum.b += value * sine;
    const double next = cosine * turn_cos - sine * turn_sin;
    sine = sine * turn_cos + cosine * turn_sin;
    cosine = next;
  }
  return {sum.a * step, sum.b * step};
}

inline void run(long coefficients) {
  std::vector<double> f(kIntervals + 1);
  for (long i = 0; i <= kIntervals; ++i) {
    const double x = 2.0 * static_cast<double>(i) / kIntervals;
    f[i] = std::pow(x + 1, x);
  }
  std::vector<Coefficient> result(coefficients);
  af::root([&] { af::forall(0, coefficients, kTasks, [&](long n) { result[n] = coefficient(f, n); }); });
  // The integral of the function itself, to the accuracy of the trapezoid rule with this step (by Simpson's rule 5.763836).
  bench::require(std::abs(result[0].a - 5.763836) < 1e-4 && result[0].b == 0, "the zeroth coefficient");
}

}  // namespace series
