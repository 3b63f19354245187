// A task updates a table in isolation, and the root reads it before the finish, without: isolation protects only from
// others who ask for it.
// expect: race
// size: 2000 sections

#include "table_of_cells.h"

int main(int argc, char** argv) {
  const long sections = bench::size_argument(argc, argv, 2000, bench::Polynomial{1});
  af::Cells cells{};
  long seen = 0;
  af::root([&] {
    af::finish([&] {
      af::async([&] {
        for (long i = 0; i < sections; ++i)
          af::isolated([&] {
            for (long& cell : cells) ++cell;  // race: A
          });
      });
      seen = cells[0];  // race: A
    });
  });
  bench::require(seen >= 0 && af::sum_of(cells) == sections * af::kCells, "the sum");
}
