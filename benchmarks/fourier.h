// Fourier coefficients of (x+1)^x on [0,2], each by the trapezoid rule: the Series kernel of the Java Grande suite,
// as its description says.
#pragma once

#include <cmath>
#include <vector>

namespace series {

constexpr double kPi = 3.14159265358979323846;

struct Coefficient {
  double a = 0, b = 0;
};

// The integrals over the period of 2 of f(x) cos(pi n x) and f(x) sin(pi n x). The angle's cosine and sine are turned
// on from point to point by the addition theorem.
inline Coefficient coefficient(const std::vector<double>& f, long n) {
  const long intervals = static_cast<long>(f.size()) - 1;
  const double step = 2.0 / static_cast<double>(intervals);
  const double turn_cos = std::cos(kPi * static_cast<double>(n) * step);
  const double turn_sin = std::sin(kPi * static_cast<double>(n) * step);
  double cosine = 1, sine = 0;
  Coefficient sum;
  for (long i = 0; i <= intervals; ++i) {
    const double value = (i == 0 || i == intervals ? 0.5 : 1.0) * f[i];
    sum.a += value * cosine;
    sum.b += value * sine;
    const double next = cosine * turn_cos - sine * turn_sin;
    sine = sine * turn_cos + cosine * turn_sin;
    cosine = next;
  }
  return {sum.a * step, sum.b * step};
}

// The function at the ends of the intervals.
inline std::vector<double> tabulated(long intervals) {
  std::vector<double> f(intervals + 1);
  for (long i = 0; i <= intervals; ++i) {
    const double x = 2.0 * static_cast<double>(i) / static_cast<double>(intervals);
    f[i] = std::pow(x + 1, x);
  }
  return f;
}

}  // namespace series
