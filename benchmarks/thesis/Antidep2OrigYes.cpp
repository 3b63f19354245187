// An anti-dependence between the rows of a rectangle in static storage: each task reads the row that the next one
// overwrites.
// expect: race
// size: 100 rows

#include "async_finish.h"

namespace {

constexpr long kColumns = 1000;
constexpr long kMostRows = 1000;
int a[kMostRows + 1][kColumns];

}  // namespace

int main(int argc, char** argv) {
  const long rows = bench::size_argument(argc, argv, 100, bench::Polynomial{1});
  bench::require(rows <= kMostRows, "the size fits the array");
  af::root([&] {
    af::forall(0, rows, rows, [&](long i) {
      for (long j = 0; j < kColumns; ++j) a[i][j] += a[i + 1][j];  // race: A
    });
  });
}
