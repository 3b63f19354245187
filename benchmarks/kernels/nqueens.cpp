// All ways to place n queens: a task per placement in the first rows, each with its own copy of the board.
#include "../bench.h"

#include <array>

namespace {

constexpr int kMaxQueens = 16;
constexpr int kTaskRows = 4;

using Board = std::array<signed char, kMaxQueens>;  // row -> column

bool is_safe(const Board& board, int row, int column) {
  for (int r = 0; r < row; ++r) {
    const int distance = board[r] - column;
    if (distance == 0 || distance == row - r || distance == r - row) return false;
  }
  return true;
}

long serial_count(Board& board, int row, int n) {
  if (row == n) return 1;
  long solutions = 0;
  for (int column = 0; column < n; ++column) {
    if (!is_safe(board, row, column)) continue;
    board[row] = static_cast<signed char>(column);
    solutions += serial_count(board, row + 1, n);
  }
  return solutions;
}

long count(Board board, int row, int n) {
  if (row == n) return 1;
  if (row >= kTaskRows) return serial_count(board, row, n);
  std::array<long, kMaxQueens> solutions{};
  for (int column = 0; column < n; ++column) {
    if (!is_safe(board, row, column)) continue;
    board[row] = static_cast<signed char>(column);
#pragma omp task shared(solutions) firstprivate(board, row, column, n)
    solutions[column] = count(board, row + 1, n);
  }
#pragma omp taskwait
  long total = 0;
  for (int column = 0; column < n; ++column) total += solutions[column];
  return total;
}

constexpr long kKnown[kMaxQueens + 1] = {1,   1,   0,    0,     2,     10,     4,       40,      92,
                                         352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 13, bench::Exponential{5.5});
  bench::require(n <= kMaxQueens, "at most 16 queens");
  long solutions = 0;
#pragma omp parallel
#pragma omp single
  solutions = count(Board{}, 0, static_cast<int>(n));
  bench::require(solutions == kKnown[n], "number of solutions");
}
