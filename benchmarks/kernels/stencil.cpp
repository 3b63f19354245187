// Gauss-Seidel sweeps over a tiled grid, in place: depend clauses on a tile and its four neighbours let several sweeps
// run behind each other as wavefronts, and make the result that of the serial program.
#include "../bench.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

constexpr long kTile = 64;
constexpr int kSweeps = 40;

// A square of cells with a border that stays fixed.
struct Grid {
  long n;
  std::vector<double> cells;
  explicit Grid(long side) : n(side), cells((side + 2) * (side + 2)) {}
  double* row(long i) { return cells.data() + i * (n + 2); }
};

void relax(Grid& grid, long top, long left) {
  for (long i = top; i < top + kTile; ++i) {
    const double* above = grid.row(i - 1);
    double* here = grid.row(i);
    const double* below = grid.row(i + 1);
    for (long j = left; j < left + kTile; ++j)
      here[j] = 0.25 * (above[j] + below[j] + here[j - 1] + here[j + 1]);
  }
}

void sweep_all(Grid& grid, long tiles) {
  // One byte stands for a tile in the depend clauses, with a border so that edge tiles need no special case.
  const long width = tiles + 2;
  std::vector<char> tile_names(width * width);
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (long i = 0; i < tiles; ++i)
      for (long j = 0; j < tiles; ++j) {
        [[maybe_unused]] char* name = tile_names.data() + (i + 1) * width + (j + 1);
#pragma omp task shared(grid) firstprivate(i, j) depend(in                                              \
                                                        : name[-width], name[width], name[-1], name[1]) \
    depend(inout                                                                                        \
           : name[0])
        relax(grid, 1 + i * kTile, 1 + j * kTile);
      }
#pragma omp taskwait
}

// The plane x + 2y solves the equation exactly; what is off it is error, and every sweep must shrink it.
double plane(long i, long j) { return static_cast<double>(i + 2 * j); }

double mean_error(Grid& grid) {
  double sum = 0;
  for (long i = 1; i <= grid.n; ++i)
    for (long j = 1; j <= grid.n; ++j) sum += std::abs(grid.row(i)[j] - plane(i, j));
  return sum / static_cast<double>(grid.n * grid.n);
}

}  // namespace

int main(int argc, char** argv) {
  const long tiles = bench::size_argument(argc, argv, 22, bench::Polynomial{2});
  Grid grid(tiles * kTile);
  bench::Random random(1);
  for (long i = 0; i < grid.n + 2; ++i)
    for (long j = 0; j < grid.n + 2; ++j) {
      const bool border = i == 0 || j == 0 || i > grid.n || j > grid.n;
      grid.row(i)[j] = plane(i, j) + (border ? 0 : static_cast<double>(random.below(2001) - 1000) / 1000);
    }
  const double before = mean_error(grid);
  bench::atomic(grid.cells);
#pragma omp parallel
#pragma omp single
  sweep_all(grid, tiles);
  bench::require(mean_error(grid) < before / 10, "the error shrinks");
}
