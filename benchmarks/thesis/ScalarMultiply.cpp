// A vector times a number by two tasks, a half each; both read the number, which nobody writes meanwhile.
// expect: clean
// size: 100000 elements

#include <vector>

#include "async_finish.h"

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  std::vector<long> a(n);
  for (long i = 0; i < n; ++i) a[i] = i;
  long scalar = 3;
  af::root([&] { af::forall(0, n, 2, [&](long i) { a[i] *= scalar; }); });
  for (long i = 0; i < n; ++i) bench::require(a[i] == 3 * i, "an element of the product");
}
