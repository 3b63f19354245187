// Two tasks with a loop each, whose every turn is an isolated update of the table they share.
// expect: clean
// size: 1000 turns a task

#include "table_of_cells.h"

int main(int argc, char** argv) {
  const long turns = bench::size_argument(argc, argv, 1000, bench::Polynomial{1});
  af::Cells cells{};
  af::root([&] {
    af::forall(0, 2, 2, [&](long) {
      for (long i = 0; i < turns; ++i)
        af::isolated([&] {
          for (long& cell : cells) ++cell;
        });
    });
  });
  bench::require(af::sum_of(cells) == 2 * turns * af::kCells, "the sum");
}
