// A true dependence in the first dimension: each row is computed from the row before it, and the rows are shared out
// to tasks.
// expect: race
// size: 1000 rows

#include "async_finish.h"

namespace {

constexpr long kColumns = 100;
constexpr long kMostRows = 10'000;
int a[kMostRows + 1][kColumns];

}  // namespace

int main(int argc, char** argv) {
  const long rows = bench::size_argument(argc, argv, 1000, bench::Polynomial{1});
  bench::require(rows <= kMostRows, "the size fits the array");
  af::root([&] {
    af::forall(1, rows + 1, rows, [&](long i) {
      for (long j = 1; j < kColumns; ++j) a[i][j] = a[i - 1][j - 1] + 1;  // race: A
    });
  });
}
