// 64 tasks, each updating a table of its own in isolation: no two sections touch the same, yet all of them are put in
// an order.
// expect: clean
// size: 40 sections a task

#include <vector>

#include "table_of_cells.h"

namespace {

constexpr long kTasks = 64;

}  // namespace

int main(int argc, char** argv) {
  const long sections = bench::size_argument(argc, argv, 40, bench::Polynomial{1});
  std::vector<af::Cells> tables(kTasks);
  af::root([&] {
    af::forall(0, kTasks, kTasks, [&](long task) {
      for (long i = 0; i < sections; ++i)
        af::isolated([&] {
          for (long& cell : tables[task]) ++cell;
        });
    });
  });
  for (const af::Cells& cells : tables) bench::require(af::sum_of(cells) == sections * af::kCells, "the sum");
}
