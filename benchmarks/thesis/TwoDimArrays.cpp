// An array of ten rows, a task for each; a row is written and read by its own task only.
// expect: clean
// size: 20000 columns

#include <vector>

#include "async_finish.h"

namespace {

constexpr long kRows = 10;

}  // namespace

int main(int argc, char** argv) {
  const long columns = bench::size_argument(argc, argv, 20'000, bench::Polynomial{1});
  std::vector<std::vector<long>> rows(kRows, std::vector<long>(columns));
  af::root([&] {
    af::forall(0, kRows, kRows, [&](long i) {
      rows[i][0] = i;
      for (long j = 1; j < columns; ++j) rows[i][j] = rows[i][j - 1] + 1;
    });
  });
  for (long i = 0; i < kRows; ++i)
    bench::require(rows[i][columns - 1] == i + columns - 1, "the end of a row");
}
