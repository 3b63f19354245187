// A loop over the rows of a square, each task with a counter of its own for the columns.
// expect: clean
// size: 500 rows

#include <vector>

#include "async_finish.h"

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 500, bench::Polynomial{2});
  std::vector<std::vector<int>> a(n, std::vector<int>(n, 1));
  af::root([&] {
    af::forall(0, n, n, [&](long i) {
      for (long j = 0; j < n; ++j) a[i][j] = a[i][j] + 1;
    });
  });
  for (const auto& row : a)
    for (int number : row) bench::require(number == 2, "an element");
}
