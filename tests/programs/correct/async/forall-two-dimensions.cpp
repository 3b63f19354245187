// Each pair has a cell.

#include <heddle/async.hpp>

int cells[6][7];

int main() {
  heddle::forall(6, 7, [](long i, long j) { cells[i][j] = static_cast<int>(i * j); });
  heddle::forall({0, 6}, {0, 7}, heddle::grouped(2, 3), [](long i, long j) { ++cells[i][j]; });
  return cells[5][6] - 31;
}
