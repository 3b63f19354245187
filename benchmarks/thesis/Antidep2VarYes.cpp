// An anti-dependence between the rows of a rectangle on the heap, with very many short rows: each task reads the row
// that the next one overwrites.
// expect: race
// size: 2000 rows

#include <vector>

#include "async_finish.h"

namespace {

constexpr long kColumns = 50;

}  // namespace

int main(int argc, char** argv) {
  const long rows = bench::size_argument(argc, argv, 2000, bench::Polynomial{1});
  std::vector<std::vector<int>> a(rows + 1, std::vector<int>(kColumns));
  af::root([&] {
    af::forall(0, rows, rows, [&](long i) {
      for (long j = 0; j < kColumns; ++j) a[i][j] += a[i + 1][j];  // race: A
    });
  });
}
