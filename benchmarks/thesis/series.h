// The Series kernel of the Java Grande suite: a task has some coefficients to itself; the function's values are
// tabulated once and read by all.
#pragma once

#include "../fourier.h"
#include "async_finish.h"

namespace series {

constexpr long kIntervals = 1000;
constexpr long kTasks = 328;  // with the root 329, as Nakade et al. count

inline void run(long coefficients) {
  const std::vector<double> f = tabulated(kIntervals);
  std::vector<Coefficient> result(coefficients);
  af::root([&] { af::forall(0, coefficients, kTasks, [&](long n) { result[n] = coefficient(f, n); }); });
  // The integral of the function itself, to the accuracy of the trapezoid rule with this step (by Simpson's rule
  // 5.763836).
  bench::require(std::abs(result[0].a - 5.763836) < 1e-4 && result[0].b == 0, "the zeroth coefficient");
}

}  // namespace series
