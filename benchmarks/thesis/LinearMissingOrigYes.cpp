// A loop whose second counter j goes along with the first, but is one variable for all: it ought to be a linear one.
// With luck, two tasks race for what lies at j as well.
// expect: race
// size: 50000 elements

#include <vector>

#include "async_finish.h"

namespace {

constexpr long kTasks = 100;

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 50'000, bench::Polynomial{1});
  std::vector<double> a(n, 0.5), b(n, 2), c(n);
  long j = 0;
  af::root([&] {
    af::forall(0, n, kTasks, [&](long i) {
      const long at = j;             // race: A
      c[at] += a[i] * b[i];          // race: A
      j = at + 1 < n ? at + 1 : at;  // race: A
    });
  });
  bench::require(j > 0 && j <= n, "the counter");
}
