// The sum of two vectors by two tasks, a half each.
// expect: clean
// size: 100000 elements

#include <vector>

#include "async_finish.h"

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  std::vector<long> a(n), b(n), c(n);
  for (long i = 0; i < n; ++i) {
    a[i] = i;
    b[i] = n - i;
  }
  af::root([&] { af::forall(0, n, 2, [&](long i) { c[i] = a[i] + b[i]; }); });
  for (long i = 0; i < n; ++i) bench::require(c[i] == n, "an element of the sum");
}
