// Two tasks update a table, one of them in isolation, the other without: it takes both to exclude each other.
// expect: race
// size: 2000 sections

#include "table_of_cells.h"

int main(int argc, char** argv) {
  const long sections = bench::size_argument(argc, argv, 2000, bench::Polynomial{1});
  af::Cells cells{};
  const auto update = [&] {
    for (long& cell : cells) ++cell;  // race: A
  };
  af::root([&] {
    af::finish([&] {
      af::async([&] {
        for (long i = 0; i < sections; ++i) af::isolated(update);
      });
      af::async([&] { update(); });
    });
  });
}
